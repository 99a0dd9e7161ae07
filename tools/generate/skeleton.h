// Joints of a character, and their names in the conventions of common tools.
#pragma once

#include <string>
#include <vector>

#include "field.h"
#include "plan.h"

namespace tailfix::generate {

struct RigJoint {
    std::string role; // pelvis, spine.0, neck, head, upper_arm.L, index.1.R, ...; of the generator's own making
    int parent = -1;  // comes before
    Vec position = Vec::Zero();
    Vec tip = Vec::Zero(); // where its bone ends
    bool holds_skin = true;
};

struct Rig {
    std::vector<RigJoint> joints;

    int find(const std::string& role) const; // -1 where there is none
    const RigJoint& at(const std::string& role) const;
};

Rig make_rig(const Plan& plan);

// One per joint, in a convention of Plan::convention; empty where the convention has no names.
std::vector<std::string> joint_names(const Rig& rig, const std::string& convention);

} // namespace tailfix::generate
