// Where on the body something grows: the measures that both tail finders judge a root by (detection.md 1 and 5).
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>

#include "surface/point_tree.h"

namespace tailfix {

struct BodyPlace {
    double axis = 0;    // share of the way from pelvis to head; 0 where the rig has no head
    double lateral = 0; // distance from the mirror plane, of S
    double down = 0;    // share of the way from the pelvis to the ground
    double behind = 0;  // distance behind the pelvis, of S
};

// Of a point of bind space. The rig has a pelvis.
BodyPlace place_of(const Character& character, const Roles& roles, const Eigen::Vector3d& point);

// Where a limb ends: a live leaf joint off the mirror plane, and the nearest of the given points of the skin.
struct LimbEnd {
    int joint = kNone;
    int point = 0;
};

// `side_leaf`: how far off the plane, of S. `points` not empty.
std::vector<LimbEnd> find_limb_ends(const Character& character, const Roles& roles, const PointTree& points,
                                    double side_leaf);

// The joint of the first limb whose end is one of the points that `inside` holds; kNone: no limb ends there.
int limb_in(const std::vector<LimbEnd>& ends, const std::function<bool(int)>& inside);

} // namespace tailfix
