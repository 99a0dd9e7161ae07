// The body of a plan: its joints and the solid around them. Metres, Y up, facing +Z, feet on the ground, +X is left.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "generate/plan.h"
#include "generate/shape.h"

namespace tailfix::generate {

struct FigureJoint {
    std::string part; // hips, spine, chest, neck, head, head end, upper arm, ..., front thigh
    int side = 0;     // 1 left, -1 right, 0 middle
    int parent = -1;
    Eigen::Vector3d at = Eigen::Vector3d::Zero();
    bool end = false; // marks where a bone ends: no skin follows it
};

struct Figure {
    std::vector<FigureJoint> joints; // parents first
    Solid body;
    double height = 0;
    int hips = 0, spine = 0, chest = 0, head = 0;
    double waist = 0;                   // radius of the trunk at the hips
    double skull = 0;                   // radius of the head
    std::vector<Eigen::Vector3d> hands; // left, right

    const Eigen::Vector3d& at(int joint) const { return joints[static_cast<std::size_t>(joint)].at; }
};

Figure make_figure(const Plan& plan);

} // namespace tailfix::generate
