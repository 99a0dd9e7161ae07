// Splits long edges, so that geodesics and cross-sections mean something on low-poly meshes.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/surface/weld.h>

namespace tailfix {

struct RefinedSurface {
    std::vector<Eigen::Vector3d> points; // the welded points first, with their numbers, then midpoints
    std::vector<Eigen::Vector3i> triangles;
};

// Conforming 1-2, 1-3, 1-4 split at midpoints until no edge is longer than `longest` (bind units), or until the surface
// would grow past kMostTriangles: then the limit is raised to what fits. Source: detection.md 2.
RefinedSurface refine_surface(const Weld& weld, double longest);

} // namespace tailfix
