// How far every point of the skin is from the skeleton.
//
// Source: method.md 1. D(p) is the least distance from p to a bone, each bone a segment of bind space (Roles::bones:
// live bones, and stubs past leaf joints); a bone without length is a point. Bind units; infinity without any bone.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/rig/roles.h>

namespace tailfix {

double distance_to_bones(const Eigen::Vector3d& point, const std::vector<Bone>& bones);

// D of every point, in their order.
std::vector<double> distance_to_bones(const std::vector<Eigen::Vector3d>& points, const std::vector<Bone>& bones);

} // namespace tailfix
