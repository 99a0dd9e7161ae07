// The signed geodesic distance from a tail's root ring: positive into the tail, negative on the body beside it.
#pragma once

#include <vector>

#include "surface/surface_graph.h"

namespace tailfix {

// How far beyond the ring the body is measured, in root radii: past the widest band that weights are blended over.
inline constexpr double kOutsideRadii = 32;

// For a piece cut at level `cut` of a distance from its tip (per graph point). Per welded point; -infinity on skin
// beyond the reach. Source: method.md 4 (g) and 5 (g = -r outside).
std::vector<double> distance_along_cut(const SurfaceGraph& graph, const std::vector<bool>& inside,
                                       const std::vector<double>& tip_distance, double cut, double root_radius);

// For a piece that hangs on a collar of points, which lie at distance 0.
std::vector<double> distance_along_collar(const SurfaceGraph& graph, const std::vector<bool>& inside,
                                          const std::vector<int>& collar, double root_radius);

} // namespace tailfix
