// SPDX-License-Identifier: MIT
#pragma once

// The broad phase without a structure: every face against every other. For comparison and for tests of those that have one.
//
// Its cost is what seeds/001 section 3.5 counts: quadratic in the number of faces, whatever their places.

#include <vector>

#include <pliant/contact/pair_search.h>
#include <pliant/contact/surface_features.h>

namespace pliant {

/// Replaces `pairs` by what the search asks for, looking at each pair of elements that counts by itself; vertex-face
/// pairs first, each kind in order of key. box_tests are pairs of elements, face_pairs stays 0.
SearchCounters find_by_brute_force(std::vector<SurfacePair>& pairs, const CollisionSurface& surface,
                                   const PairSearch& search);

}  // namespace pliant
