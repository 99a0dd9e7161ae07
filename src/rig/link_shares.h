// How the links of a chain share the skin along it: pure functions of the geodesic distance g (method.md 5).
#pragma once

#include <array>
#include <utility>
#include <vector>

namespace tailfix {

// {link, share} three times: the one before, the link itself, the one after; shares sum to 1, unused ones are 0.
// Link -1 is the joint that the chain hangs from.
using LinkShares = std::array<std::pair<int, double>, 3>;

// `marks`: g at each joint (Chain::marks), at least two, ascending. A segment is what lies between two of them.

// The article's rule: blended over a quarter segment on each side of a joint, half and half on it.
LinkShares share_links_article(double g, const std::vector<double>& marks);

// Blended over half a segment on each side of an inner joint; the first link has none before, the last none after.
LinkShares share_links_smooth(double g, const std::vector<double>& marks);

} // namespace tailfix
