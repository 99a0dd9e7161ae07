// Samples a simulated chain into keys, as few as keep the skin where the simulation has it.
//
// Source: method.md 8. Error is measured where the skin is, by forward kinematics over the whole chain: a small turn at
// the root moves the tip far. (ACL and ozz measure likewise, at a distance from the joint.)
#pragma once

#include <vector>

#include "motion/passes.h"

namespace tailfix {

struct KeyRules {
    double rate_hz = 30;
    double tolerance_m = 0; // 0: every key of the rate and no other
    bool loop = false;
};

// The chain as the keys' error needs it: lengths and skin radii in metres.
struct KeyedChain {
    const RestArc* arc = nullptr;
    std::vector<int> joints;    // of the links
    std::vector<double> radius; // per link: farthest skin from its bone
    double meters_per_bind_unit = 1;
};

// Simulated local rotations at any time of the clip: between grid times, the shortest turn from one to the next.
std::vector<Eigen::Quaterniond> locals_at(const Recording& recording, const Drive& drive, double time);

// The times of the rate: the clip's first and last time and every period between; a rate of 0 has none between.
std::vector<float> rate_times(double start, double end, double rate_hz);

// One track per link; all links of a chain share their times.
std::vector<BakedTrack> key_tracks(const Recording& recording, const Drive& drive, const KeyedChain& chain,
                                   const KeyRules& rules);

} // namespace tailfix
