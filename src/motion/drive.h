// How a clip moves the joint that a tail hangs from, on the grid that the simulation steps on; and what kind of clip
// that makes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tailfix/motion/bake.h>

#include "motion/kinematics.h"

namespace tailfix {

struct Drive {
    double start = 0, end = 0; // seconds, the clip's own time
    double dt = 0;
    std::vector<RootPose> poses; // one per grid time; steps() + 1 of them
    bool moves = false;          // whether any pose differs from the first

    std::size_t steps() const { return poses.size() - 1; }
};

// The grid divides the clip evenly by steps of at most `longest`, and depends on nothing else.
Drive sample_drive(const Rigged& rigged, const Clip& clip, const RestArc& arc, const World& world, double longest);

// Source: method.md 8. A clip loops when the joint comes back to its first pose, up to travel along the ground; a clip
// whose last frame was left out as a repeat of the first ends about one frame short of it.
ClipKind clip_kind(const Rigged& rigged, const Clip& clip, const Drive& drive, const RestArc& arc, double height_m,
                   const BakeOptions& options);

// "a,b" -> "a", "b".
std::vector<std::string> split_names(std::string_view names);

// Whether a name matches a pattern with * (anything) and ? (one character).
bool glob_match(const std::string& pattern, const std::string& name);

} // namespace tailfix
