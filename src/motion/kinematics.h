// Poses of a character: clips sampled at a time, transforms of nodes and joints, skinned points.
//
// Source: glTF 2.0, 3.7.3 (skins, linear blend skinning) and 3.11 with appendix C (animation sampling). Times before
// the first key and after the last hold that key.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/character.h>

namespace tailfix {

// The stored pose, or that pose with the tracks of one clip over it. Keeps pointers to the nodes and tracks it is
// given.
class ClipSampler {
public:
    explicit ClipSampler(const Character& character, const Clip* clip = nullptr);

    // Puts a track over whatever the clip has for the same node and path.
    void add(const Track& track);

    bool animates(int node) const;
    Eigen::Affine3d local(int node, double time) const;    // parent_from_node
    std::vector<Eigen::Affine3d> world(double time) const; // world_from_node, of all nodes

    const Character& character() const { return *character_; }

private:
    const Character* character_;
    std::vector<int> slot_; // per node: index into tracks_, or kNone
    std::vector<std::array<const Track*, 3>> tracks_;
    std::vector<Eigen::Affine3d> stored_;
};

// Value of a track at a time: 3 numbers, or a unit quaternion x y z w.
Eigen::Vector4d sample_track(const Track& track, double time);

// The nodes from a root of the scene down to `node`.
std::vector<int> path_to_node(const Character& character, int node);
Eigen::Affine3d world_along(const ClipSampler& sampler, const std::vector<int>& path, double time);

// joint_from_bind of every joint: its inverse bind matrix.
std::vector<Eigen::Affine3d> inverse_binds(const Character& character);

// What a vertex in bind space is multiplied with, per joint: world_from_joint * joint_from_bind.
std::vector<Eigen::Affine3d> skin_matrices(const Character& character,
                                           const std::vector<Eigen::Affine3d>& joint_from_bind,
                                           const std::vector<Eigen::Affine3d>& world_from_node);

Eigen::Vector3d skin_vertex(const Mesh& mesh, const std::vector<Eigen::Affine3d>& skin_matrices, int vertex);

// The orthogonal factor of a linear map (its polar decomposition), with the sign of its determinant; `otherwise` for a
// map that is singular. And the map's scale: the cube root of its determinant's size.
Eigen::Matrix3d orthogonal_factor(const Eigen::Matrix3d& linear, const Eigen::Matrix3d& otherwise);
double mean_scale(const Eigen::Matrix3d& linear);

// The shortest rotation that carries unit vector a to unit vector b. For opposite vectors it turns about an axis made
// from x, so that mirroring both in the plane x = 0 mirrors the rotation.
Eigen::Quaterniond swing(const Eigen::Vector3d& a, const Eigen::Vector3d& b);

} // namespace tailfix
