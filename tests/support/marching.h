// Closed surfaces for tests: the zero set of a function, by marching tetrahedra.
#pragma once

#include <functional>

#include <Eigen/Geometry>

#include <tailfix/character.h>

namespace tailfix::support {

// Positions and triangles of {f = 0} within the box, f < 0 inside, on a grid of the given step. Vertices are shared
// (nothing to weld), triangles face outwards, and the surface is closed where the box contains it.
Mesh march(const std::function<double(const Eigen::Vector3d&)>& f, const Eigen::AlignedBox3d& box, double step);

} // namespace tailfix::support
