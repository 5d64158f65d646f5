// SPDX-License-Identifier: MIT
// This program counts its allocations too.
#include "base/test_counted_new.cpp"
