// Writes a rigged character as GLB 2.0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan.h"
#include "skeleton.h"
#include "skin_weights.h"

namespace tailfix::generate {

// What becomes a primitive. Triangles index the vertices; an empty list: each three vertices are one (no indices).
struct Surface {
    std::string name;
    std::vector<Vec> positions, normals;
    std::vector<Eigen::Vector2d> uvs;
    std::vector<Influences> influences;
    std::vector<std::array<int, 3>> triangles;
    std::vector<int> tail; // not written: the truth's
};

struct Scene {
    std::string name;
    std::vector<std::vector<Surface>> meshes; // each a list of primitives
};

// From the generator's space to the file's bind space, by Plan::facing, scale and up.
Eigen::Matrix3d bind_from_canonical(const Plan& plan);

// The node of joint j is j + 1; node 0 is the armature, which brings the bind space to a world with +Y up.
std::vector<std::uint8_t> write_glb(const Plan& plan, const Rig& rig, const Scene& scene);

} // namespace tailfix::generate
