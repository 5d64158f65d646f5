// SPDX-License-Identifier: MIT
#pragma once

// The scenes of a folder, each with a sentence and a small picture of how it begins. Worlds are built in a thread of their
// own, one after the other; pictures are drawn when the window has time.

#include <memory>
#include <string>
#include <vector>

#include "gl_objects.h"

namespace pliant::viewer {

inline constexpr int kThumbnailWidth = 192, kThumbnailHeight = 120;

struct GalleryEntry {
    std::string path, name, sentence;
    GlTexture picture;  ///< 0 before it was drawn
    bool has_failed = false;
};

class Gallery {
public:
    /// Reads the descriptions; an unreadable folder is an empty gallery.
    explicit Gallery(const std::string& folder);
    ~Gallery();
    Gallery(const Gallery&) = delete;
    Gallery& operator=(const Gallery&) = delete;

    const std::vector<GalleryEntry>& entries() const;
    /// Draws the next picture whose world is built; needs a current context. False when there is none just now.
    bool draw_next();
    /// The entry of a file, -1 when it is not of this folder.
    int find(const std::string& path) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace pliant::viewer
