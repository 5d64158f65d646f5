// SPDX-License-Identifier: MIT

// Feeds arbitrary bytes to the readers of dpoSimulator's files. The first byte chooses the reader and the kind of body;
// what is read without problems must keep what the structs promise, and every problem must say something.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pliant/io/dpo_files.h>

namespace {

using namespace pliant;

constexpr std::int64_t kVertices = 16;

void require(bool condition)
{
    if (!condition) std::abort();
}

/// Whether there is something to look at.
template <class File>
bool is_good(const DpoRead<File>& read)
{
    for (const Problem& problem : read.problems)
        require(!problem.message.empty() && !problem.cure.empty() && !to_string(problem).empty());
    return read.ok();
}

void try_world(std::string_view bytes)
{
    const auto read = read_dpo_world(bytes, "fuzz");
    if (is_good(read))
        require(read.file.gravity >= 0 && read.file.frame_rate > 0 && std::isfinite(read.file.frame_rate));
}

void try_list(std::string_view bytes)
{
    const auto read = read_dpo_body_list(bytes, "fuzz");
    if (!is_good(read)) return;
    require(!read.file.bodies.empty());
    for (const DpoListed& body : read.file.bodies) {
        require(body.mesh.size() > 4 && body.mesh.find_first_of("./\\ ") == std::string::npos);
        require(body.parameters == "par_" + body.mesh.substr(4) && body.velocities == "vel_" + body.mesh.substr(4));
    }
}

void try_parameters(std::string_view bytes, DpoKind kind)
{
    const auto read = read_dpo_parameters(bytes, "fuzz", kind);
    if (!is_good(read)) return;
    const DpoParameters& p = read.file;
    require(p.mass >= 0 && p.thickness >= 0 && (kind == DpoKind::rigid || p.density > 0));
    for (int k = 0; k < 3; ++k) require(p.colour[k] >= 0 && p.colour[k] <= 1);
}

void try_velocities(std::string_view bytes, DpoKind kind)
{
    const auto read = read_dpo_velocities(bytes, "fuzz", kind, kVertices);
    if (!is_good(read)) return;
    require(!read.file.blocks.empty() && read.file.blocks.front().time >= 0);
    for (std::size_t b = 0; b < read.file.blocks.size(); ++b) {
        const DpoBlock& block = read.file.blocks[b];
        require(b == 0 || read.file.blocks[b - 1].time < block.time);
        require(kind == DpoKind::cloth || block.vectors.size() <= 1);
        for (std::size_t i = 0; i < block.vectors.size(); ++i) {
            require(block.vectors[i].vertex >= 0 && block.vectors[i].vertex < kVertices);
            require(i == 0 || block.vectors[i - 1].vertex < block.vectors[i].vertex);
            require(is_finite(block.vectors[i].velocity));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const DpoKind kind = (data[0] & 4) != 0 ? DpoKind::rigid : DpoKind::cloth;
    switch (data[0] % 4) {
    case 0:
        try_world(bytes);
        break;
    case 1:
        try_list(bytes);
        break;
    case 2:
        try_parameters(bytes, kind);
        break;
    default:
        try_velocities(bytes, kind);
    }
    return 0;
}
