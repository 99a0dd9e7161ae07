// What a joint's name says: the conventions of Mixamo (with and without colon), Meshy, VRoid, Unreal, Biped, Rigify,
// Character Creator, Quaternius and plain words. Names are hints: every caller works without them.
#pragma once

#include <string>
#include <vector>

#include <tailfix/rig/roles.h>

namespace tailfix {

struct JointName {
    std::vector<std::string> words; // lower case, without prefixes, side words and numbers
    Side side = Side::Middle;
};

// Splits at case changes and at anything that is not a letter: "mixamorig:LeftUpLeg" is {up, leg}, Left.
JointName read_name(const std::string& name);

bool names_pelvis(const JointName& name); // nothing but pelvis | hip | hips
bool names_head(const JointName& name);   // head | skull, and not its end, tip or top
bool names_neck(const JointName& name);
bool names_leg(const JointName& name); // leg | thigh | calf | shin | foot | femur | knee | ankle | toe
bool names_arm(const JointName& name); // arm | hand | finger ... | clavicle | shoulder
bool names_tail(const JointName& name);

} // namespace tailfix
