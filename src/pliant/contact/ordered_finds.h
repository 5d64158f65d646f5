// SPDX-License-Identifier: MIT
#pragma once

// What parallel tasks find, joined in the order of the tasks: the same for any number of threads.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <pliant/base/parallel.h>
#include <pliant/contact/pair_search.h>

namespace pliant {

template <class Item>
class OrderedFinds {
public:
    OrderedFinds() : by_chunk_(kMaxChunks) {}

    /// Replaces `items` by what search(found, task) appends, for tasks 0 to count - 1. search returns its counters, whose
    /// sum is returned with the number of items as `pairs`. Allocates only while there have never been as many.
    template <class Search>
    SearchCounters collect(std::vector<Item>& items, std::size_t count, Search&& search)
    {
        std::array<SearchCounters, kMaxChunks> counters{};
        std::array<std::size_t, kMaxChunks + 1> begins{};
        const std::size_t chunks = chunk_count(count, 1);
        parallel_for(count, 1, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
            by_chunk_[chunk].clear();
            for (std::size_t task = begin; task < end; ++task) counters[chunk] += search(by_chunk_[chunk], task);
        });
        SearchCounters total;
        for (std::size_t c = 0; c < chunks; ++c) total += counters[c], begins[c + 1] = begins[c] + by_chunk_[c].size();
        items.resize(begins[chunks]);
        parallel_for(chunks, 1, [&](std::size_t begin, std::size_t end, std::size_t) {
            for (std::size_t c = begin; c < end; ++c)
                std::copy(by_chunk_[c].begin(), by_chunk_[c].end(),
                          items.begin() + static_cast<std::ptrdiff_t>(begins[c]));
        });
        total.pairs = static_cast<std::int64_t>(items.size());
        return total;
    }

private:
    std::vector<std::vector<Item>> by_chunk_;
};

}  // namespace pliant
