// Triangle meshes of solids, and what is made by hand beside them.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include "generate/shape.h"
#include "generate/tail.h"

namespace tailfix::generate {

struct TriangleMesh {
    std::vector<Eigen::Vector3d> points;
    std::vector<Eigen::Vector3i> triangles; // counter-clockwise from outside
    std::vector<char> tail;                 // per point: 0, or the tail's number from 1 on

    void append(const TriangleMesh& other);
};

using Distance = std::function<double(const Eigen::Vector3d&)>;

// The surface where `distance` is 0, by naive surface nets on a grid of cells `cell` wide; only cells near the surface
// are looked at. `distance` must be Lipschitz with constant 1. `near(centre, reach)` gives the same distance, perhaps
// cheaper, for points within `reach` of a place.
TriangleMesh mesh_solid(const Eigen::AlignedBox3d& box, double cell,
                        const std::function<Distance(const Eigen::Vector3d&, double)>& near);

// Thinned out to about `vertices` by quadric edge collapse (meshoptimizer). Points stay where they are.
TriangleMesh thin_out(const TriangleMesh& mesh, int vertices);

// A closed tube of rings around a line.
TriangleMesh loft(const std::vector<Eigen::Vector3d>& line, const std::vector<double>& radius, int sides, char tail);

// A sheet over the unit square, columns x rows quads; double-sided ones have two layers `thick` apart and a rim.
TriangleMesh sheet(const std::function<Eigen::Vector3d(double u, double v)>& at, int columns, int rows, double thick);

} // namespace tailfix::generate
