// Merges the glTF vertices that are one point of the surface.
//
// glTF repeats a vertex wherever its normal, UV or material changes, so the triangles alone fall apart along every
// seam (method.md 2: one real tail in dozens of islands). Stages that walk the surface work on points; stages that
// write vertices map back through point_of_vertex.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/options.h>

namespace tailfix {

struct WeldOptions {
    double radius = 1e-5; // of the bounding box's diagonal
};

template <class Visit>
void fields(WeldOptions& o, Visit&& visit)
{
    visit("weld", o.radius, Range{0, 1e-2}, "bbox", "vertices nearer than this are one point of the surface");
}

struct Weld {
    std::vector<int> point_of_vertex;       // per vertex, in [0, points.size()); numbered by first appearance
    std::vector<Eigen::Vector3d> points;    // bind space: position of the first vertex of each
    std::vector<Eigen::Vector3i> triangles; // of points; degenerate ones dropped
};

// Transitive: vertices linked by a chain of near ones are one point. Does not depend on triangles or vertex order
// (beyond the numbering).
Weld weld_vertices(const Mesh& mesh, const WeldOptions& options = {});

} // namespace tailfix
