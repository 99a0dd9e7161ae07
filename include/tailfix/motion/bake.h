// Simulates the tail through every clip and samples it into rotation keys.
//
// Source: method.md 8. A loop recorded from a cold start does not close, so a clip runs silently until a pass begins as
// the pass before did; root motion carries the tail along from pass to pass. The simulation steps on a grid that
// depends on the clip and --step alone: the key rate only says when it is sampled, so that rates agree at shared times.
// Each clip is solved on its own, from its own copy of the pose: results do not depend on the order of the clips, on
// the number of threads, or on the pose that happens to be stored.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/character.h>
#include <tailfix/motion/floor.h>
#include <tailfix/motion/rest_arc.h>
#include <tailfix/motion/spring.h>
#include <tailfix/options.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/world.h>

namespace tailfix {

struct BakeOptions {
    double step_s = 1.0 / 120;
    std::string clips = "*";
    std::string loop = "auto";
    double loop_turn_deg = 3;
    double loop_height = 0.02;
    double static_s = 0.1;
    double warmup_max_s = 60;
    double settled_deg = 0.005;
    double settled_speed_deg_s = 0.1;
    double rate_hz = 30;
    double key_tolerance_percent = 0.1;
};

template <class Visit>
void fields(BakeOptions& o, Visit&& visit)
{
    visit("step", o.step_s, Range{1e-4, 1.0 / 120}, "s", "longest step of the simulation");
    visit("clips", o.clips, "names of the clips to bake, * and ? match anything");
    visit("loop", o.loop, "which clips loop: auto, all, none, or their names, separated by commas");
    visit("loop-turn", o.loop_turn_deg, Range{0, 180}, "deg", "a clip that ends turned by less may loop");
    visit("loop-height", o.loop_height, Range{0, 1}, "H", "a clip that ends higher or lower by less may loop");
    visit("static-length", o.static_s, Range{0, 10}, "s", "clips shorter than this get the settled pose");
    visit("warmup-max", o.warmup_max_s, Range{0, 600}, "s",
          "longest simulated time before recording (at least one pass of the clip)");
    visit("settled", o.settled_deg, Range{1e-6, 10}, "deg",
          "a pass has settled when no link begins it farther from how it began the one before");
    visit("settled-speed", o.settled_speed_deg_s, Range{1e-6, 1000}, "deg/s", "and no link's speed differs by more");
    visit("rate", o.rate_hz, Range{1, 1000}, "Hz", "keys per second");
    visit("key-tolerance", o.key_tolerance_percent, Range{0, 10}, "% of H",
          "how far the keyed skin may stray from the simulated (0: every key of the rate)");
}

struct MotionOptions {
    SpringOptions spring;
    ContactOptions contact;
    BakeOptions bake;
};

template <class Visit>
void fields(MotionOptions& o, Visit&& visit)
{
    fields(o.spring, visit);
    fields(o.contact, visit);
    fields(o.bake, visit);
}

enum class ClipKind { Loop, LoopRootMotion, OneShot, Static };

// Rotation keys of one link. Times are seconds in the clip's own time, ascending; rotations are local
// (parent_from_joint), unit, signs continuous.
struct BakedTrack {
    int joint = kNone; // index into the rigged character's joints
    std::vector<float> times;
    std::vector<Eigen::Quaternionf> rotations;
};

struct BakedClip {
    int clip = 0; // index into Character::clips
    ClipKind kind = ClipKind::OneShot;
    std::vector<BakedTrack> tracks; // links of all chains, root to tip
    int warmup_passes = 0;          // passes run before the recorded one; of half a second where the first pose is held
    bool converged = true;
    double seam_deg = 0;         // largest turn of a link between the end of the recorded pass and its beginning
    double seam_speed_deg_s = 0; // and the largest jump of its angular velocity there
    int contact_frames = 0;      // keys (at the key rate) at which some link touches the floor
    double max_bend_deg = 0;     // largest bend of a link away from its rest direction
};

// Bakes the clips that options.bake.clips matches, in the order of the file. The first and last key of a loop are
// equal. `threads`: 0 for as many as there are cores.
std::vector<BakedClip> bake_clips(const Rigged& rigged, const World& world, const std::vector<RestArc>& arcs,
                                  const Floor& floor, const MotionOptions& options = {}, int threads = 0);

// Names and patterns in the options that no clip of the character answers to, as warnings.
std::vector<std::string> unmatched_clip_names(const Character& character, const BakeOptions& options);

} // namespace tailfix
