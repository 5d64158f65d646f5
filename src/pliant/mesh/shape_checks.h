// SPDX-License-Identifier: MIT
#pragma once

// The questions every shape asks of its numbers before making a mesh.

#include <string>

#include <pliant/mesh/tri_mesh.h>

namespace pliant {

/// Throws Error unless the number is finite and above zero: "box: the width is -1, …".
void require_positive(const char* shape, const char* what, double number);

/// Throws Error unless lowest <= count.
void require_at_least(const char* shape, const char* what, int count, int lowest);

/// Throws Error when a mesh would be too big for 32-bit indices and most memories.
void require_vertices(const char* shape, double vertex_count);

/// Point i of n between -size/2 and size/2: exact at both ends and exactly antisymmetric.
double centred(double size, int i, int n);

}  // namespace pliant
