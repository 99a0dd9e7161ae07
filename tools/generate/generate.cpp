#include "generate.h"

#include <fmt/format.h>

#include "glb.h"
#include "parts.h"
#include "plan.h"
#include "surfaces.h"

namespace tailfix::generate {
namespace {

using Json = nlohmann::json;

std::size_t vertices_of(const Scene& scene)
{
    std::size_t count = 0;
    for (const auto& surfaces : scene.meshes)
        for (const Surface& surface : surfaces) count += surface.positions.size();
    return count;
}

Json describe(const Plan& plan, std::size_t vertices, bool with_tails)
{
    Json out = {{"body", plan.body},
                {"arms", plan.four_legs() ? "legs" : plan.arms},
                {"construction", plan.construction},
                {"pieces", plan.pieces},
                {"density", density_class(vertices)},
                {"vertices", vertices},
                {"decoys", plan.decoys},
                {"convention", plan.convention},
                {"axes", plan.axes},
                {"root joint", plan.root_joint ? "yes" : "no"},
                {"end joints", plan.end_joints ? "yes" : "no"},
                {"fingers", plan.fingers ? "yes" : "no"},
                {"facing", plan.facing},
                {"scale", plan.scale},
                {"armature scale", plan.armature_scale},
                {"up", plan.up},
                {"pose", plan.posed ? "not bind" : "bind"},
                {"tails", with_tails ? plan.tails.size() : 0}};
    if (!with_tails) return out;
    const TailPlan& tail = plan.tails.front();
    out["direction"] = tail.direction;
    out["taper"] = tail.taper;
    out["tail length"] = tail.length;
    out["tail radius"] = tail.radius;
    const bool own = plan.construction == "shell" || plan.construction == "two shells";
    out["tail skin"] = own ? plan.tail_skin : "nearest";
    return out;
}

Json truth_of_primitives(const Scene& scene)
{
    Json out = Json::array();
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        for (std::size_t p = 0; p < scene.meshes[m].size(); ++p) {
            Json tail = Json::array();
            for (const int t : scene.meshes[m][p].tail) tail.push_back(t > 0 ? 1 : 0);
            out.push_back({{"mesh", m}, {"primitive", p}, {"count", tail.size()}, {"tail", tail}});
        }
    }
    return out;
}

Json truth_of_tails(const Plan& plan, const Rig& rig, const Pieces& pieces)
{
    const auto names = joint_names(rig, plan.convention);
    const auto name = [&](const std::string& role) {
        const int j = rig.find(role);
        const std::string& given = names[static_cast<std::size_t>(j)];
        return given.empty() ? fmt::format("node {}", j + 1) : given;
    };
    Json out = Json::array();
    for (std::size_t t = 0; t < pieces.tails.size(); ++t) {
        Json tail = {{"attach", name("pelvis")},
                     {"attach_also", Json::array({name("spine.0")})},
                     {"root_radius", plan.scale * plan.tails[t].radius},
                     {"length", plan.scale * plan.tails[t].length}};
        if (pieces.roots[t]) {
            const Vec root = bind_from_canonical(plan) * *pieces.roots[t];
            tail["root"] = {root.x(), root.y(), root.z()};
        }
        out.push_back(tail);
    }
    return out;
}

} // namespace

Generated generate(int seed, bool with_tails)
{
    const Plan plan = make_plan(seed);
    const Rig rig = make_rig(plan);
    const Pieces pieces = make_pieces(plan, rig, with_tails);
    const Scene scene = make_scene(plan, rig, pieces.parts);
    Generated out;
    out.name = fmt::format("seed-{:03}{}", seed, with_tails ? "" : "-tailless");
    out.glb = write_glb(plan, rig, scene);
    out.truth = {{"file", out.name + ".glb"},
                 {"label", with_tails ? "tail" : "no tail"},
                 {"description", describe(plan, vertices_of(scene), with_tails)},
                 {"primitives", truth_of_primitives(scene)},
                 {"tails", truth_of_tails(plan, rig, pieces)}};
    return out;
}

} // namespace tailfix::generate
