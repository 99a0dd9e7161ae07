#include "rig/link_shares.h"

#include <algorithm>
#include <cmath>

namespace tailfix {
namespace {

// With even marks, s = K g / L, k = min(floor(s), K - 1), f = s - k.
struct Segment {
    int k = 0;
    int last = 0;
    double f = 0;
};

Segment segment_at(double g, const std::vector<double>& marks)
{
    const int last = static_cast<int>(marks.size()) - 2;
    const auto next =
        std::upper_bound(marks.begin() + 1, marks.end() - 1, g); // the first inner mark past g, or the end
    const int k = static_cast<int>(next - marks.begin()) - 1;
    const double low = marks[static_cast<std::size_t>(k)], high = marks[static_cast<std::size_t>(k) + 1];
    return {k, last, high > low ? std::max(g - low, 0.0) / (high - low) : 0.5};
}

LinkShares shares_of(int k, double before, double after)
{
    return {{{k - 1, before}, {k, 1 - before - after}, {k + 1, after}}};
}

} // namespace

LinkShares share_links_article(double g, const std::vector<double>& marks)
{
    const auto [k, last, f] = segment_at(g, marks);
    const double before = std::clamp(0.5 - 2 * f, 0.0, 0.5);
    const double after = k == last ? 0 : std::clamp(2 * f - 1.5, 0.0, 0.5);
    return shares_of(k, before, after);
}

LinkShares share_links_smooth(double g, const std::vector<double>& marks)
{
    const auto [k, last, f] = segment_at(g, marks);
    const double before = k == 0 ? 0 : std::clamp(0.5 - f, 0.0, 0.5);
    const double after = k == last ? 0 : std::clamp(f - 0.5, 0.0, 0.5);
    return shares_of(k, before, after);
}

} // namespace tailfix
