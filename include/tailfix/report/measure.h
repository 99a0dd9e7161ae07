// Whether it worked, as numbers: how the skin stretches, how far it is from what drives it, and how far a tail would
// lift the body.
//
// Source: method.md 9. Stretch is the skinned length of a welded edge over its bind length in the same unit: 1 is
// undeformed, above 1.5 or below 0.67 is torn. Three skins are compared on the same motion: the input's, the tail rigid
// on the joint it hangs from (which must measure 1: it shows that the harness is right), and the fixed one. Ratios are
// counted to 0.001. Body edges may be sampled (every n-th triangle; `body_stride` says so).
#pragma once

#include <vector>

#include <tailfix/character.h>
#include <tailfix/motion/bake.h>
#include <tailfix/options.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/roles.h>
#include <tailfix/rig/world.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct MeasureOptions {
    int times = 24;
    int body_edges = 6000;
};

template <class Visit>
void fields(MeasureOptions& o, Visit&& visit)
{
    visit("measure-times", o.times, Range{2, 1000}, "",
          "evenly spread times of each clip at which stretch is measured");
    visit("measure-edges", o.body_edges, Range{0, 1e9}, "edges", "about how many body edges to measure (0: all)");
}

struct Stretch {
    long long samples = 0;
    double p95 = 1, p99 = 1, max = 1;
    double torn_percent = 0;
};

struct SkinStretch {
    Stretch tail; // both ends in the tail
    Stretch seam; // one end
    Stretch body; // none
};

// How far a grounding pass would lift the body off the clip's own motion, metres: with the tail's skin counted, rigid
// on the joint it hangs from, and with it left out.
struct Grounding {
    double lift_tail_counted = 0;
    double lift_tail_excluded = 0;
};

struct ClipMeasure {
    int clip = 0; // index into Character::clips
    SkinStretch before, rigid, after;
    Grounding grounding;
};

struct Measures {
    std::vector<ClipMeasure> clips;   // as baked; empty without clips
    SkinStretch before, rigid, after; // over all of them
    double bone_distance_before = 0;  // metres: mean over the tail's skin, weighted, in the bind pose
    double bone_distance_after = 0;
    int body_stride = 1;
};

// What is measured; nothing is kept.
struct Measured {
    const Character& input;
    const Rigged& rigged;
    const std::vector<BakedClip>& clips;
    const Weld& weld;
    const Roles& roles;
    const World& world;
};

Measures measure(const Measured& measured, const MeasureOptions& options = {}, int threads = 0);

} // namespace tailfix
