// A generated character as a GLB, in the space that its plan asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "generate/figure.h"
#include "generate/mesh.h"

namespace tailfix::generate {

// A primitive's vertices, which may be copies of the mesh's points.
struct Part {
    std::vector<int> point_of_vertex;
    std::vector<int> indices; // three a triangle
};

// From the metres in which everything is built into the file's mesh space.
Eigen::Affine3d mesh_from_metres(const Plan& plan);

// One mesh a part, one skin.
std::vector<std::uint8_t> write_glb(const Plan& plan, const Figure& figure, const TriangleMesh& mesh,
                                    const std::vector<Part>& parts);

} // namespace tailfix::generate
