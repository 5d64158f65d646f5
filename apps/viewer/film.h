// SPDX-License-Identifier: MIT
#pragma once

// Where pictures go: a PNG, a folder of them, or a film made by ffmpeg, which gets them through a pipe.

#include <memory>
#include <string>

#include "picture.h"

namespace pliant::viewer {

/// Writes a file under its name only when it is complete. Error (cannot_access) otherwise.
void write_png(const std::string& path, const Picture& picture);

class Film {
public:
    virtual ~Film() = default;
    virtual void add(const Picture& picture) = 0;
    /// Completes what was written; without it a film is left out.
    virtual void finish() = 0;
    /// What came out, for people.
    virtual std::string described() const = 0;
};

/// Whether the program is found on the PATH.
bool has_ffmpeg();

/// Pictures as FOLDER/frame_00000.png and so on; the folder is made.
std::unique_ptr<Film> film_of_pictures(const std::string& folder);

/// An .mp4, .webm, .mkv or .gif at so many pictures a second; sides must be even. Needs ffmpeg.
std::unique_ptr<Film> film_by_ffmpeg(const std::string& path, double rate, int width, int height);

}  // namespace pliant::viewer
