#include <tailfix/pipeline.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tailfix/error.h>
#include <tailfix/rig/rigid.h>
#include <tailfix/surface/grown_tails.h>

#include "motion/skin_edges.h"
#include "step.h"

namespace tailfix {
namespace {

// In rigid mode the tail follows the joint it hangs from, and there is no chain.
std::vector<Chain> lay_chains(const Weld& weld, const std::vector<Tail>& tails, double height, const Options& options)
{
    return options.weights.mode == Mode::Rigid ? std::vector<Chain>{} : fit_chains(weld, tails, height, options.chain);
}

// Capes and scabbards on request: rigid on the joint they hang from, all that hangs from one joint together, so that
// the halves of a skirt are one shell. A tail outranks what is worn beside it, also one that an earlier run gave bones.
SkinWeights bind_worn(const SkinWeights& weights, const Character& input, const Found& found,
                      const WearOptions& options)
{
    const auto& [roles, weld, detection, grown] = found;
    std::map<int, std::vector<std::vector<int>>> pieces_of_joint;
    for (const auto& piece : detection.appendages) {
        const bool worn = piece.kind == AppendageClass::Worn && options.worn == WearAction::Rigid;
        const bool wide = piece.kind == AppendageClass::Wide && options.wide == WearAction::Rigid;
        if (worn || wide) pieces_of_joint[piece.attach].push_back(piece.points);
    }
    if (pieces_of_joint.empty()) return weights;
    std::vector<bool> on_tail(weld.points.size(), false);
    const auto tail = tail_weights(input, grown);
    for (std::size_t v = 0; v < tail.size(); ++v)
        if (tail[v] > 0) on_tail[static_cast<std::size_t>(weld.point_of_vertex[v])] = true;
    SkinWeights out = weights;
    for (const auto& [joint, pieces] : pieces_of_joint) {
        auto points = rigid_points(weld, pieces);
        std::erase_if(points, [&](int p) { return on_tail[static_cast<std::size_t>(p)]; });
        out = bind_rigidly(out, points, joint);
    }
    return out;
}

// The new chains, and behind them those of an earlier run. The weights that such a run replaced are gone, so its tails
// cannot be made to follow the body as they did.
Rigged rig_chains(const Character& input, const Weld& weld, const std::vector<Chain>& chains,
                  const SkinWeights& weights, const std::vector<JointChain>& grown, Mode mode)
{
    if (!grown.empty() && mode == Mode::Rigid)
        throw Error(
            Failure::Usage,
            fmt::format("--mode rigid: the tail has the chain {}_1 to {}_End of an earlier run, and stays as it "
                        "is; take the file from before that run",
                        grown.front().name, grown.front().name));
    Rigged rigged = add_chains(input, weld, chains, weights);
    return grown.empty() ? rigged : take_up_chains(std::move(rigged), grown);
}

// Where the user says that the tails are, brought from the scene into bind space.
std::vector<Eigen::Vector3d> told_points(const Character& character, const Roles& roles, const Options& options)
{
    auto points = parse_points(options.detect.tail_at);
    if (points.empty() || !roles.is_character) return {};
    const Eigen::Affine3d bind_from_world = find_world(character, roles, options.world).world_from_bind.inverse();
    for (auto& p : points) p = bind_from_world * p;
    return points;
}

} // namespace

Found find(const Character& input, const Options& options, Steps& step)
{
    // clang-format off
    const auto grown     = step("grown",   find_grown_chains, input);
    const Character& bare = grown.without ? *grown.without : input;
    const auto roles     = step("roles",   find_roles,        bare, options.roles);
    const auto weld      = step("weld",    weld_vertices,     input.mesh, options.weld);
    const auto detection = step("detect",  detect_tails,      bare, roles, weld, options.detect, told_points(bare, roles, options));
    // clang-format on
    if (grown.chains.empty() || !roles.is_character) return {roles, weld, detection, {}};
    return {roles, weld, with_grown_tails(detection, input, roles, weld, grown.chains, options.detect), grown.chains};
}

// The whole tool on one page. Each line is one stage, declared in the header of the same name.
// Results flow downwards only and never change once made.
Fixed fix(const Character& input, const Options& options, Steps& step)
{
    // clang-format off
    // What the model already tells us.
    const auto found   = find(input, options, step);
    const auto& [roles, weld, detection, grown] = found;
    const auto world   = step("world",   find_world,    input, roles, options.world);

    // The bones it lacks.
    const auto chains  = step("chain",   lay_chains,    weld, detection.tails, roles.height, options);
    const auto skin    = step("weights", blend_weights, input, weld, detection.tails, chains, options.weights);
    const auto worn    = step("wear",    bind_worn,     skin, input, found, options.wear);
    const auto rigged  = step("rig",     rig_chains,    input, weld, chains, worn, grown, options.weights.mode);
    if (worn.points.empty() && grown.empty()) return {found, chains, rigged, world, {}, {}, {}, {}, false};

    // How they move.
    const auto rest    = step("rest",    fit_rest_arcs, rigged, weld, roles, world, options.rest);
    const auto floor   = step("floor",   find_floor,    rigged, world, options.floor);
    const auto clips   = step("bake",    bake_clips,    rigged, world, rest, floor, options.motion, options.threads);

    // Whether it worked.
    const auto figures = step("measure", measure, Measured{input, rigged, clips, weld, roles, world}, options.measure, options.threads);
    // clang-format on
    return {found, chains, rigged, world, rest, floor, clips, figures, !worn.points.empty() || !clips.empty()};
}

} // namespace tailfix
