// Stands in for oneTBB in the ThreadSanitizer build only (tools/check tsan).
//
// ThreadSanitizer has to see every lock and atomic, and those inside a distribution's libtbb are not compiled for it: with
// the real library it reports races that are none, in our code as well. These few functions do what the calls in
// src/ ask for, on plain threads, so that what it reports is ours. Work is handed out one item at a time with no more
// order between the items than oneTBB promises: none.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <tbb/blocked_range.h>

namespace tbb {

template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body)
{
    constexpr Index kThreads = 3; // more than the cores of a small machine: more interleavings
    std::atomic<Index> next{first};
    const auto work = [&] {
        // Relaxed: the counter must not order one item after another, or it would hide races between them.
        for (Index i; (i = next.fetch_add(1, std::memory_order_relaxed)) < last;) body(i);
    };
    std::vector<std::thread> threads;
    for (Index i = 1; i < std::min<Index>(kThreads, last > first ? last - first : 0); i++) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
}

template <class Index, class Body>
void parallel_for(const blocked_range<Index>& range, const Body& body)
{
    const Index grain = std::max<Index>(1, range.size() / 16);
    const Index blocks = (range.size() + grain - 1) / grain;
    parallel_for(Index{0}, blocks, [&](Index block) {
        const Index begin = range.begin() + block * grain;
        body(blocked_range<Index>(begin, std::min<Index>(begin + grain, range.end())));
    });
}

} // namespace tbb
