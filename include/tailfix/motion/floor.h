// Where the ground is that a tail may lie on.
//
// Source: method.md 7, last paragraph. Per clip the lowest point of the body's skin over evenly spread times, tail left
// out; then the median over the clips, so that a clip that dies, jumps or swims does not decide. The neutral pose alone
// misleads: on one quadruped its lowest point lies 4 to 14 cm below every clip's.
#pragma once

#include <string>

#include <tailfix/options.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/world.h>

namespace tailfix {

struct FloorOptions {
    WordOr floor = WordOr::of("auto");
    double clearance_m = 0.025;
    double snap = 0.02;
};

template <class Visit>
void fields(FloorOptions& o, Visit&& visit)
{
    visit("floor", o.floor, Words{{"auto", "none"}}, Range{-1e6, 1e6}, "y",
          "height of the ground in the file's world (auto: where the body stands)");
    visit("floor-clearance", o.clearance_m, Range{0, 10}, "m",
          "how far above the ground a tail joint stays: the tail's thickness");
    visit("floor-snap", o.snap, Range{0, 1}, "H", "with --floor auto, a ground this near to 0 is 0");
}

struct Floor {
    bool exists = false;
    double height = 0;    // world units
    double clearance = 0; // world units
    std::string reason;
};

Floor find_floor(const Rigged& rigged, const World& world, const FloorOptions& options = {});

} // namespace tailfix
