// SPDX-License-Identifier: MIT
#pragma once

// Counts allocations of this test program, for tests that promise none.

namespace pliant {

/// Calls of operator new since the program began, on all threads.
long allocation_count();

}  // namespace pliant
