// The tips of a surface: where a geodesic distance has its pronounced maxima.
#pragma once

#include <vector>

#include "surface/surface_graph.h"

namespace tailfix {

struct Tip {
    int point = 0;
    double persistence = 0; // height of the maximum above the saddle at which it joins a higher one
};

// 0-dimensional persistence of `distance` (of every point, from one seed), by union-find in decreasing order. Tips with
// at least `least` persistence, in order of point number. Source: detection.md 3; Edelsbrunner, Letscher, Zomorodian,
// "Topological persistence and simplification", 2002.
std::vector<Tip> find_tips(const SurfaceGraph& graph, const std::vector<double>& distance, double least);

} // namespace tailfix
