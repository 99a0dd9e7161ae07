// The plane that a skeleton is the mirror image of itself in.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tailfix {

struct MirrorPlane {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitX(); // unit, orthogonal to up
    double offset = 0;                                 // the plane is {p : p . normal = offset}
    double cost = 0; // mean over the joints of the distance from a joint's mirror image to the nearest joint, of
                     // `size`, each at most 0.2; plus 0.2 when fewer than two joints lie off the plane
};

// Best mirror plane that contains `up`. The two axes of the file across up are tried first, since that is how models
// are built; a turned plane must be clearly better. Source: detection.md 1.
MirrorPlane find_mirror_plane(const std::vector<Eigen::Vector3d>& joints, const Eigen::Vector3d& up, double size);

// The best offset of a plane with a given normal.
MirrorPlane fit_mirror_offset(const std::vector<Eigen::Vector3d>& joints, const Eigen::Vector3d& normal, double size);

} // namespace tailfix
