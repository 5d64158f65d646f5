// SPDX-License-Identifier: MIT
#include "film.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <png.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pliant/base/error.h>

extern char** environ;

namespace pliant::viewer {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, const std::string& message, const std::string& cure = "")
{
    throw Error(Problem{.file = file, .message = message, .cure = cure}, ErrorKind::cannot_access);
}

class PictureFolder : public Film {
public:
    explicit PictureFolder(std::string folder) : folder_(std::move(folder))
    {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) refuse(folder_, fmt::format("cannot make the folder: {}", error.message()));
    }
    void add(const Picture& picture) override
    {
        write_png((fs::path(folder_) / fmt::format("frame_{:05}.png", count_++)).string(), picture);
    }
    void finish() override {}
    std::string described() const override { return fmt::format("{} pictures in {}", count_, folder_); }

private:
    std::string folder_;
    int count_ = 0;
};

// What ffmpeg is told for each kind of film.
std::vector<std::string> encoder_of(const std::string& path)
{
    const std::string kind = fs::path(path).extension().string();
    if (kind == ".webm") return {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p"};
    if (kind == ".gif") return {"-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse"};
    return {"-c:v", "libx264", "-crf", "18", "-preset", "fast", "-pix_fmt", "yuv420p", "-movflags", "+faststart"};
}

class FfmpegFilm : public Film {
public:
    FfmpegFilm(std::string path, double rate, int width, int height) : path_(std::move(path))
    {
        const fs::path whole(path_);
        part_ = (whole.parent_path() / (whole.stem().string() + ".part" + whole.extension().string())).string();
        start(rate, width, height);
    }
    ~FfmpegFilm() override
    {
        if (process_ <= 0) return;
        close(pipe_);
        int status = 0;
        waitpid(process_, &status, 0);
        std::error_code ignored;
        fs::remove(part_, ignored);
    }

    void add(const Picture& picture) override
    {
        const std::uint8_t* at = picture.rgb.data();
        std::size_t left = picture.rgb.size();
        while (left > 0) {
            const ssize_t written = write(pipe_, at, left);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) stopped();
            at += written, left -= static_cast<std::size_t>(written);
        }
        ++count_;
    }

    void finish() override
    {
        close(pipe_);
        int status = 0;
        waitpid(std::exchange(process_, 0), &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) refuse(path_, "ffmpeg could not write the film", kCure);
        std::error_code error;
        fs::rename(part_, path_, error);
        if (error) refuse(path_, fmt::format("cannot be written: {}", error.message()));
    }
    std::string described() const override { return fmt::format("{}, {} pictures", path_, count_); }

private:
    static constexpr const char* kCure = "its words stand above; a folder as OUT keeps the pictures instead";

    [[noreturn]] void stopped() { refuse(path_, "ffmpeg stopped before the end of the film", kCure); }

    void start(double rate, int width, int height)
    {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(path_, "no pipe to ffmpeg");
        std::vector<std::string> words{"ffmpeg",    "-y",
                                       "-loglevel", "error",
                                       "-f",        "rawvideo",
                                       "-pix_fmt",  "rgb24",
                                       "-s",        fmt::format("{}x{}", width, height),
                                       "-r",        fmt::format("{}", rate),
                                       "-i",        "-"};
        for (std::string& word : encoder_of(path_)) words.push_back(std::move(word));
        words.push_back(part_);
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        const int error = posix_spawnp(&process_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[0]);
        pipe_ = ends[1];
        if (error != 0) {
            close(pipe_);
            process_ = 0;
            refuse(path_, fmt::format("cannot start ffmpeg: {}", std::strerror(error)), "apt install ffmpeg");
        }
        // A film that breaks off is an error in words, not the end of the program.
        std::signal(SIGPIPE, SIG_IGN);
    }

    std::string path_, part_;
    pid_t process_ = 0;
    int pipe_ = -1, count_ = 0;
};

}  // namespace

void write_png(const std::string& path, const Picture& picture)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width), image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    image.flags = PNG_IMAGE_FLAG_FAST;
    const std::string part = path + ".part";
    const int done = png_image_write_to_file(&image, part.c_str(), 0, picture.rgb.data(), 0, nullptr);
    std::error_code error;
    if (done != 0) fs::rename(part, path, error);
    if (done == 0 || error) {
        const std::string why = done == 0 ? image.message : error.message();
        fs::remove(part, error);
        refuse(path, fmt::format("cannot be written: {}", why));
    }
}

bool has_ffmpeg()
{
    const char* path = std::getenv("PATH");
    std::string folders = path != nullptr ? path : "";
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        if (access((folders.substr(begin, end - begin) + "/ffmpeg").c_str(), X_OK) == 0) return true;
        begin = end + 1;
    }
    return false;
}

std::unique_ptr<Film> film_of_pictures(const std::string& folder)
{
    return std::make_unique<PictureFolder>(folder);
}

std::unique_ptr<Film> film_by_ffmpeg(const std::string& path, double rate, int width, int height)
{
    return std::make_unique<FfmpegFilm>(path, rate, width, height);
}

}  // namespace pliant::viewer
