#include <tailfix/pipeline.h>

#include <map>

#include <tailfix/rig/rigid.h>

#include "step.h"

namespace tailfix {
namespace {

// In rigid mode the tail follows the joint it hangs from, and there is no chain.
std::vector<Chain> lay_chains(const Weld& weld, const std::vector<Tail>& tails, double height, const Options& options)
{
    return options.weights.mode == Mode::Rigid ? std::vector<Chain>{} : fit_chains(weld, tails, height, options.chain);
}

// Capes and scabbards on request: rigid on the joint they hang from, all that hangs from one joint together, so that
// the halves of a skirt are one shell.
SkinWeights bind_worn(const SkinWeights& weights, const Weld& weld, const Detection& detection,
                      const WearOptions& options)
{
    std::map<int, std::vector<std::vector<int>>> pieces_of_joint;
    for (const auto& piece : detection.appendages) {
        const bool worn = piece.kind == AppendageClass::Worn && options.worn == WearAction::Rigid;
        const bool wide = piece.kind == AppendageClass::Wide && options.wide == WearAction::Rigid;
        if (worn || wide) pieces_of_joint[piece.attach].push_back(piece.points);
    }
    SkinWeights out = weights;
    for (const auto& [joint, pieces] : pieces_of_joint) out = bind_rigidly(out, rigid_points(weld, pieces), joint);
    return out;
}

} // namespace

Found find(const Character& input, const Options& options, Steps& step)
{
    // clang-format off
    const auto roles     = step("roles",   find_roles,    input, options.roles);
    const auto weld      = step("weld",    weld_vertices, input.mesh, options.weld);
    const auto detection = step("detect",  detect_tails,  input, roles, weld, options.detect);
    // clang-format on
    return {roles, weld, detection};
}

// The whole tool on one page. Each line is one stage, declared in the header of the same name.
// Results flow downwards only and never change once made.
Fixed fix(const Character& input, const Options& options, Steps& step)
{
    // clang-format off
    // What the model already tells us.
    const auto found   = find(input, options, step);
    const auto& [roles, weld, detection] = found;
    const auto world   = step("world",   find_world,    input, roles, options.world);

    // The bones it lacks.
    const auto chains  = step("chain",   lay_chains,    weld, detection.tails, roles.height, options);
    const auto skin    = step("weights", blend_weights, input, weld, detection.tails, chains, options.weights);
    const auto worn    = step("wear",    bind_worn,     skin, weld, detection, options.wear);
    const auto rigged  = step("rig",     add_chains,    input, weld, chains, worn);
    if (worn.points.empty()) return {found, chains, rigged, world, {}, {}, {}, {}, false};

    // How they move.
    const auto rest    = step("rest",    fit_rest_arcs, rigged, weld, roles, world, options.rest);
    const auto floor   = step("floor",   find_floor,    rigged, world, options.floor);
    const auto clips   = step("bake",    bake_clips,    rigged, world, rest, floor, options.motion, options.threads);

    // Whether it worked.
    const auto figures = step("measure", measure, Measured{input, rigged, clips, weld, roles, world}, options.measure, options.threads);
    // clang-format on
    return {found, chains, rigged, world, rest, floor, clips, figures, true};
}

} // namespace tailfix
