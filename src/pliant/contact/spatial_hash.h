// SPDX-License-Identifier: MIT
#pragma once

// Which elements of surfaces may meet in a step: faces in the cells of a grid, by hashing.
//
// A face is kept once, in the cell of the lowest corner of its path's box, on a grid whose cells are at least as large
// as the box; then whatever meets it lies in its own cells or one before them. Grids of all levels, each twice as
// coarse as the one below, share one table, so that a table's two triangles do not fill the cells of a sheet; a face
// looks for partners on its own level and on the coarser ones in use. Paths are taken relative to the mean displacement
// of all vertices: what falls as a whole stays small. Bodies that move fast against each other get larger cells and
// more tests of boxes, where trees do not.
// Nothing is kept from one search to the next but memory. Same pairs as TriangleTrees, in another order.
// Reference: M. Teschner et al., Optimized spatial hashing for collision detection of deformable objects, Proc. VMV
// (2003) 47-54; levels: M. Eitz, G. Lixu, Hierarchical spatial hashing, Proc. SMI (2007).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <pliant/contact/ordered_finds.h>
#include <pliant/contact/surface_features.h>

namespace pliant {

class SpatialHash {
public:
    /// Bodies are told apart by surface.face_body. Keeps nothing of the surface.
    explicit SpatialHash(const CollisionSurface& surface);

    /// Replaces `pairs` by what the search asks for. Allocates only while there have never been as many.
    SearchCounters find(std::vector<SurfacePair>& pairs, const PairSearch& search);

private:
    static constexpr int kLevels = 64;

    /// The box of a face's path in the moving frame, and the level on which it is kept.
    struct Path {
        std::array<double, 3> lowest, highest;  // [m]
        std::int32_t level = 0;
    };
    struct Entry {
        std::uint64_t cell = 0;
        std::int32_t face = 0;
    };

    Vec3 mean_motion(const PairSearch& search) const;
    void take_paths(const PairSearch& search);
    void choose_levels();
    void fill_table();
    std::int32_t cell_coordinate(double x, int level) const;
    std::uint64_t home(const Path& path) const;
    std::size_t slot(std::uint64_t cell) const;
    SearchCounters search_face(std::vector<SurfacePair>& found, std::int32_t f, const PairSearch& search) const;
    template <class Found>
    void visit_cells(const Path& path, int level, Found&& found) const;

    SurfaceFeatures features_;
    std::vector<MovingBox> boxes_;              // #faces
    std::vector<Path> paths_;                   // #faces
    std::vector<std::uint64_t> homes_;          // #faces
    std::vector<std::int32_t> begins_;          // #slots + 1: where the entries of a slot begin
    std::vector<Entry> entries_;                // #faces, by slot, then by face
    std::array<double, kLevels> per_cell_{};    // by level: one over the size of a cell [1/m]
    std::array<std::int32_t, kLevels> used_{};  // by level: faces kept there
    unsigned slot_bits_ = 0;
    OrderedFinds<SurfacePair> found_;
};

}  // namespace pliant
