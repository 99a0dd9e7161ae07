// See parallel_for.h.
#pragma once

namespace tbb {

template <class Index>
class blocked_range {
public:
    blocked_range(Index begin, Index end) : begin_(begin), end_(end) {}

    Index begin() const { return begin_; }
    Index end() const { return end_; }
    Index size() const { return end_ - begin_; }

private:
    Index begin_;
    Index end_;
};

} // namespace tbb
