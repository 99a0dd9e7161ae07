// Counts of stretch ratios: percentiles over millions of samples in a few kilobytes, the same in whatever order they
// come.
#pragma once

#include <cstdint>
#include <vector>

#include <tailfix/report/measure.h>

namespace tailfix {

class RatioHistogram {
public:
    void add(double ratio);
    void add(const RatioHistogram& other);
    Stretch summary() const;

private:
    double percentile(double p) const;

    std::vector<std::uint64_t> counts_; // bin k holds ratios that round to k / 1000; the last holds all above
    std::uint64_t samples_ = 0, torn_ = 0;
    double max_ = 0;
};

} // namespace tailfix
