#include "report/histogram.h"

#include <algorithm>
#include <cmath>

namespace tailfix {

namespace {

constexpr double kBinsPerUnit = 1000;          // ratios are told apart to 0.001: what a table prints
constexpr std::size_t kBins = 4001;            // up to 4; an edge four times its length is torn, however far
constexpr double kTorn = 1.5, kCrushed = 0.67; // method.md 9

} // namespace

void RatioHistogram::add(double ratio)
{
    if (counts_.empty()) counts_.resize(kBins, 0);
    const double bin = std::round(ratio * kBinsPerUnit);
    // Anything that is not a number below the last bin, infinity included, belongs to the last.
    ++counts_[bin < static_cast<double>(kBins - 1) ? static_cast<std::size_t>(std::max(bin, 0.0)) : kBins - 1];
    ++samples_;
    torn_ += ratio > kTorn || ratio < kCrushed;
    max_ = std::max(max_, ratio);
}

void RatioHistogram::add(const RatioHistogram& other)
{
    if (other.samples_ == 0) return;
    if (counts_.empty()) counts_.resize(kBins, 0);
    for (std::size_t i = 0; i < kBins; ++i) counts_[i] += other.counts_[i];
    samples_ += other.samples_;
    torn_ += other.torn_;
    max_ = std::max(max_, other.max_);
}

double RatioHistogram::percentile(double p) const
{
    const auto rank = static_cast<std::uint64_t>(p / 100 * static_cast<double>(samples_ - 1));
    std::uint64_t below = 0;
    for (std::size_t i = 0; i + 1 < kBins; ++i) {
        below += counts_[i];
        if (below > rank) return std::min(static_cast<double>(i) / kBinsPerUnit, max_);
    }
    return max_;
}

Stretch RatioHistogram::summary() const
{
    Stretch out;
    if (samples_ == 0) return out;
    out.samples = static_cast<long long>(samples_);
    out.p95 = percentile(95);
    out.p99 = percentile(99);
    out.max = max_;
    out.torn_percent = 100 * static_cast<double>(torn_) / static_cast<double>(samples_);
    return out;
}

} // namespace tailfix
