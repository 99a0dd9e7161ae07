#include "surface/place.h"

#include <algorithm>
#include <cmath>

#include "rig/joint_tree.h"

namespace tailfix {

BodyPlace place_of(const Character& character, const Roles& roles, const Eigen::Vector3d& point)
{
    const auto at = [&](int j) { return character.joints[static_cast<std::size_t>(j)].position(); };
    const Eigen::Vector3d pelvis = at(roles.pelvis);
    BodyPlace place;
    if (roles.head != kNone) {
        const Eigen::Vector3d axis = at(roles.head) - pelvis;
        if (axis.squaredNorm() > 0) place.axis = (point - pelvis).dot(axis) / axis.squaredNorm();
    }
    place.lateral = std::abs(point.dot(roles.frame.left) - roles.mirror) / roles.size;
    const double pelvis_height = pelvis.dot(roles.frame.up) - roles.ground;
    if (pelvis_height > 0) place.down = (pelvis - point).dot(roles.frame.up) / pelvis_height;
    place.behind = (pelvis - point).dot(roles.frame.forward) / roles.size;
    return place;
}

std::vector<LimbEnd> find_limb_ends(const Character& character, const Roles& roles, const PointTree& points,
                                    double side_leaf)
{
    const JointTree tree = make_joint_tree(character);
    std::vector<LimbEnd> ends;
    for (int j = 0; j < tree.size(); ++j) {
        const Eigen::Vector3d& end = tree.position[static_cast<std::size_t>(j)];
        const double lateral = std::abs(end.dot(roles.frame.left) - roles.mirror);
        if (!tree.live_leaf[static_cast<std::size_t>(j)] || lateral <= side_leaf * roles.size) continue;
        ends.push_back({j, points.nearest(end).point});
    }
    return ends;
}

int limb_in(const std::vector<LimbEnd>& ends, const std::function<bool(int)>& inside)
{
    const auto found = std::find_if(ends.begin(), ends.end(), [&](const LimbEnd& end) { return inside(end.point); });
    return found == ends.end() ? kNone : found->joint;
}

} // namespace tailfix
