#include "rig/link_shares.h"

#include <algorithm>
#include <cmath>

namespace tailfix {
namespace {

// s = K g / L, k = min(floor(s), K - 1), f = s - k
struct Segment {
    int k = 0;
    double f = 0;
};

Segment segment_at(double g, double length, int links)
{
    const double s = std::max(links * g / length, 0.0);
    const int k = static_cast<int>(std::min(std::floor(s), static_cast<double>(links - 1)));
    return {k, s - k};
}

LinkShares shares_of(int k, double before, double after)
{
    return {{{k - 1, before}, {k, 1 - before - after}, {k + 1, after}}};
}

} // namespace

LinkShares share_links_article(double g, double length, int links)
{
    const auto [k, f] = segment_at(g, length, links);
    const double before = std::clamp(0.5 - 2 * f, 0.0, 0.5);
    const double after = k == links - 1 ? 0 : std::clamp(2 * f - 1.5, 0.0, 0.5);
    return shares_of(k, before, after);
}

LinkShares share_links_smooth(double g, double length, int links)
{
    const auto [k, f] = segment_at(g, length, links);
    const double before = k == 0 ? 0 : std::clamp(0.5 - f, 0.0, 0.5);
    const double after = k == links - 1 ? 0 : std::clamp(f - 0.5, 0.0, 0.5);
    return shares_of(k, before, after);
}

} // namespace tailfix
