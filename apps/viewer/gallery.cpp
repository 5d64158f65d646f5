// SPDX-License-Identifier: MIT
#include "gallery.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include <pliant/base/json.h>
#include <pliant/scene/scene_json.h>
#include <pliant/world/build.h>

#include "painter.h"

namespace pliant::viewer {

namespace {

namespace fs = std::filesystem;

// What a picture needs of a world.
struct Built {
    std::size_t entry = 0;
    Topology topology;
    std::vector<Vec3> x;
};

std::string sentence_of(const fs::path& path)
{
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const Json scene = parse_json(text, path.string()).value;
    const Json* description = scene.find("description");
    return description != nullptr && description->is_string() ? description->text : std::string();
}

std::vector<GalleryEntry> entries_of(const std::string& folder)
{
    std::vector<GalleryEntry> entries;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(folder, error)) {
        if (file.path().extension() != ".json") continue;
        GalleryEntry entry;
        entry.path = file.path().string(), entry.name = file.path().stem().string();
        entry.sentence = sentence_of(file.path());
        entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return entries;
}

GlTexture draw_thumbnail(const Built& built)
{
    const SurfaceMesh mesh = make_surface_mesh(built.topology, built.x);
    GlTexture picture = make_texture();
    glBindTexture(GL_TEXTURE_2D, picture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, kThumbnailWidth, kThumbnailHeight, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    const GlRenderbuffer depth = make_renderbuffer();
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, kThumbnailWidth, kThumbnailHeight);
    const GlFramebuffer canvas = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, canvas);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    check_framebuffer("a small picture");
    Painter painter(mesh);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas);
    painter.set_frame(built.x, {});
    Bounds bounds;
    for (const std::int32_t point : mesh.point) bounds.add(built.x[static_cast<std::size_t>(point)]);
    Camera camera;
    camera.up = built.topology.up;
    const Area area{0, 0, kThumbnailWidth, kThumbnailHeight};
    camera.fit(bounds, area.aspect());
    painter.draw(camera, {.up = built.topology.up}, bounds, area);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return picture;
}

}  // namespace

struct Gallery::Parts {
    std::vector<GalleryEntry> entries;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Built> built;
    std::vector<std::size_t> failed;
    std::atomic<bool> quits = false;
    bool is_wanted = false;
    std::thread thread;

    void build_all()
    {
        constexpr std::size_t kWaiting = 4;  // built worlds that nobody has drawn yet
        for (std::size_t e = 0; e < entries.size(); ++e) {
            {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return quits || (is_wanted && built.size() < kWaiting); });
            }
            if (quits) return;
            std::optional<Built> next = build_entry(e);
            const std::lock_guard lock(mutex);
            if (next)
                built.push_back(std::move(*next));
            else
                failed.push_back(e);
        }
    }

    std::optional<Built> build_entry(std::size_t entry) const
    {
        const SceneRead read = read_scene(entries[entry].path);
        if (!read.problems.empty()) return std::nullopt;
        const Build result = try_build(read.scene);
        if (!result.problems.empty()) return std::nullopt;
        return Built{entry, result.world.model->topology, result.world.state.x};
    }
};

Gallery::Gallery(const std::string& folder) : parts_(std::make_unique<Parts>())
{
    parts_->entries = entries_of(folder);
    parts_->thread = std::thread([this] { parts_->build_all(); });
}

Gallery::~Gallery()
{
    parts_->quits = true;
    parts_->changed.notify_all();
    parts_->thread.join();
}

const std::vector<GalleryEntry>& Gallery::entries() const
{
    return parts_->entries;
}

bool Gallery::draw_next()
{
    std::optional<Built> next;
    {
        const std::lock_guard lock(parts_->mutex);
        parts_->is_wanted = true;
        for (const std::size_t e : parts_->failed) parts_->entries[e].has_failed = true;
        if (!parts_->built.empty()) {
            next = std::move(parts_->built.front());
            parts_->built.pop_front();
        }
    }
    parts_->changed.notify_all();
    if (!next) return false;
    parts_->entries[next->entry].picture = draw_thumbnail(*next);
    return true;
}

int Gallery::find(const std::string& path) const
{
    std::error_code error;
    for (std::size_t e = 0; e < parts_->entries.size(); ++e)
        if (fs::equivalent(parts_->entries[e].path, path, error)) return static_cast<int>(e);
    return -1;
}

}  // namespace pliant::viewer
