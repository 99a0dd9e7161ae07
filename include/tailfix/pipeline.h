// The whole tool as one function of values: a character in, the same character with a tail that works out.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <tailfix/motion/bake.h>
#include <tailfix/motion/floor.h>
#include <tailfix/motion/rest_arc.h>
#include <tailfix/report/measure.h>
#include <tailfix/rig/chain.h>
#include <tailfix/rig/grown.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/roles.h>
#include <tailfix/rig/weights.h>
#include <tailfix/rig/world.h>
#include <tailfix/surface/detect.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// What is done with worn things and with capes and skirts, on request.
enum class WearAction { Keep, Rigid };

struct WearOptions {
    WearAction worn = WearAction::Keep;
    WearAction wide = WearAction::Keep;
};

template <class Visit>
void fields(WearOptions& o, Visit&& visit)
{
    visit("worn", o.worn, Choices{{"keep", "rigid"}},
          "scabbards, quivers, straps: left alone, or rigid on the joint they hang from");
    visit("wide", o.wide, Choices{{"keep", "rigid"}},
          "capes, skirts, coats: left alone, or rigid on the joint they hang from");
}

// The options of every stage.
struct Options {
    RoleOptions roles;
    WeldOptions weld;
    DetectOptions detect;
    WearOptions wear;
    ChainOptions chain;
    WeightOptions weights;
    WorldOptions world;
    RestOptions rest;
    FloorOptions floor;
    MotionOptions motion;
    MeasureOptions measure;
    int threads = 0; // 0: as many as the machine has; results do not depend on it
};

// Calls visit(group name, options of one stage) in the order of the pipeline.
template <class Visit>
void groups(Options& o, Visit&& visit)
{
    visit("Rig", o.roles);
    visit("Surface", o.weld);
    visit("Detection", o.detect);
    visit("Clothing", o.wear);
    visit("Chain", o.chain);
    visit("Weights", o.weights);
    visit("World", o.world);
    visit("Rest pose", o.rest);
    visit("Floor", o.floor);
    visit("Spring", o.motion.spring);
    visit("Contact", o.motion.contact);
    visit("Baking", o.motion.bake);
    visit("Measuring", o.measure);
}

struct Timing {
    std::string stage;
    double ms = 0;
};

// Runs the stages one after the other; defined in src/step.h.
class Steps {
public:
    template <class Stage, class... Args>
    auto operator()(std::string_view name, Stage&& stage, const Args&... args);

    std::vector<Timing> timings;
    std::function<void(std::string_view stage)> on_start; // for a progress bar; may be empty
};

// What is on the character, and what of it is a tail.
struct Found {
    Roles roles;
    Weld weld;
    Detection detection;
    // Chains of an earlier run, baked again in place: grown[i] is appendages[tails.size() + i].
    std::vector<JointChain> grown;

    bool has_tail() const { return !detection.tails.empty() || !grown.empty(); }
};

// What was done about it. `rigged` is the input where nothing was.
struct Fixed {
    Found found;
    std::vector<Chain> chains; // the new ones
    Rigged rigged;             // its chains: the new ones, then those of an earlier run
    World world;
    std::vector<RestArc> rest;
    Floor floor;
    std::vector<BakedClip> clips;
    Measures measures;
    bool changed = false;
};

Found find(const Character& input, const Options& options, Steps& step);

// Throws Error with the stage's name.
Fixed fix(const Character& input, const Options& options, Steps& step);

} // namespace tailfix
