// Surfaces that artists sweep and lay out by hand: tubes about a line, and sheets.
#pragma once

#include <functional>

#include "part.h"

namespace tailfix::generate {

struct TubeShape {
    std::vector<Vec> line;
    std::vector<double> radii;
    Vec across = Vec(1, 0, 0); // the direction of the cross-section's first axis, as far as the line lets it
    double flat = 1;           // second axis of the cross-section over its first
};

// Closed at both ends; quads of about `spacing`.
Part make_tube(const TubeShape& shape, double spacing);

// A grid of points at(u, v), u and v from 0 to 1; `size` is its extent, of which its quads are about `spacing`.
Part make_sheet(const std::function<Vec(double, double)>& at, const Eigen::Vector2d& size, double spacing);

void append(Part& to, const Part& part);

} // namespace tailfix::generate
