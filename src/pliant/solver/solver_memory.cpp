// SPDX-License-Identifier: MIT
#include <pliant/solver/solver_memory.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <variant>

#include <pliant/solver/implicit_scratch.h>

namespace pliant {

namespace {

// Share of an element's pairs of nodes that no element before it has: large meshes, counted.
constexpr double new_pairs(int nodes)
{
    return nodes == 10 ? 0.36 : nodes == 4 ? 0.16 : nodes == 3 ? 0.25 : 1.0;
}

// Nodes of all coarser lattices for each fine one: their spacing follows the edges of the elements.
constexpr double coarse_nodes(int nodes)
{
    return nodes == 10 ? 0.043 : 0.19;
}

// [B] of a coarse node: 63 blocks three times over, places of its neighbours; and of what leads there from a fine one.
constexpr double kCoarseNode = 15e3, kFineNode = 220, kFineBlock = 12, kLastLevel = 3e5;

double element_bytes(const Model& model)
{
    double bytes = 0;
    for (const Term& term : model.terms)
        std::visit(
            [&](const auto& elements) {
                bytes += static_cast<double>(elements.stencils.blocks.size()) *
                         (sizeof(elements.stencils.blocks[0]) + sizeof(elements.rest[0]));
            },
            term);
    return bytes;
}

// Bytes in a file of one number, or infinity.
double number_in(const char* path)
{
    std::ifstream file(path);
    double value = 0;
    return file >> value ? value : std::numeric_limits<double>::infinity();
}

}  // namespace

double explicit_memory(const Model& model)
{
    constexpr double kVectorsPerPoint = 12;
    return element_bytes(model) + static_cast<double>(model.point_count()) * kVectorsPerPoint * sizeof(Vec3);
}

double implicit_memory(const Model& model)
{
    double pairs = 0, blocks = model.free_count, coarse = 0;
    for (const Term& term : model.terms)
        std::visit(
            [&](const auto& elements) {
                constexpr int kNodes = std::decay_t<decltype(elements)>::Parameters::nodes;
                constexpr int kPairs = kNodes * (kNodes + 1) / 2;
                const double count = static_cast<double>(elements.stencils.count) * kPairs;
                pairs += count;
                blocks += count * new_pairs(kNodes);
                coarse = std::max(coarse, coarse_nodes(kNodes));
            },
            term);
    constexpr double kBlock = sizeof(Mat3) + sizeof(std::int32_t), kPlace = sizeof(ScatterMap<4>::Place);
    constexpr double kVectorsPerNode = 16;
    return explicit_memory(model) + pairs * kPlace + blocks * (kBlock + kFineBlock) + kLastLevel +
           model.free_count * (kVectorsPerNode * sizeof(Vec3) + kFineNode + coarse * kCoarseNode);
}

double cholesky_memory(const Model& model)
{
    // In floats, and once more in doubles for matrices that floats cannot resolve.
    const CholeskyStructure structure(newton_pattern(model), model.start_x);
    return static_cast<double>(structure.bytes(sizeof(float)) + structure.bytes(sizeof(double)));
}

double available_memory()
{
    double free = std::numeric_limits<double>::infinity();
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    for (double kilobytes = 0; file >> name >> kilobytes;) {
        std::getline(file, unit);
        if (name == "MemAvailable:") free = kilobytes * 1024;
    }
    const double allowed = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
    return allowed < std::numeric_limits<double>::infinity() ? std::min(free, std::max(0.0, allowed - used)) : free;
}

}  // namespace pliant
