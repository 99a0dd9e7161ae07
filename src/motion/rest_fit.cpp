// The automatic rest arc of rest_arc.h: tries arcs on the skin of one static pose.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <tailfix/motion/rest_arc.h>

#include "motion/kinematics.h"
#include "motion/skin_edges.h"

namespace tailfix {

namespace {

// The body's own stretch is read off about this many edges and poses: its 99th percentile then rests on 50,000 samples,
// of which 500 lie above.
constexpr int kBodyEdges = 1000, kBodyPoses = 48;
// Least bounds, for bodies that hardly stretch (method.md 9, and what an outside check allows): tail, and seam.
constexpr double kTailFloor = 1.05, kSeamFloor = 1.3, kSeamShare = 1.25;
constexpr double kTorn = 1.5, kCrushed = 0.67,
                 kTornShare = 0.0005; // half the torn edges that a tail may have in motion
// Bends tried, degrees; and the part of the edges that may tear with every link at its limit at once, which motion
// rarely comes near. Under the least bend a tail would be a board.
constexpr double kWidestBend = 30, kLeastBend = 6, kBendStep = 3, kBentTornShare = 0.001;
constexpr double kCurveStep = 0.05, kCarryStep = 5; // of beta; degrees

double edge_ratio(const SkinEdge& edge, const std::vector<Eigen::Vector3d>& positions, double scale)
{
    return (positions[static_cast<std::size_t>(edge.a)] - positions[static_cast<std::size_t>(edge.b)]).norm() /
           (edge.length * scale);
}

std::vector<Eigen::Vector3d> skinned(const Mesh& mesh, const std::vector<int>& vertices,
                                     const std::vector<Eigen::Affine3d>& matrices)
{
    std::vector<Eigen::Vector3d> out;
    out.reserve(vertices.size());
    for (const int vertex : vertices) out.push_back(skin_vertex(mesh, matrices, vertex));
    return out;
}

// 99th percentile of the body's stretch over the clips, or nothing without clips.
std::optional<double> body_stretch(const Character& character, const std::vector<double>& tail_weight, const Weld& weld,
                                   double scale)
{
    if (character.clips.empty()) return std::nullopt;
    SkinEdges edges = skin_edges(character.mesh, tail_weight, weld, kBodyEdges);
    const auto binds = inverse_binds(character);
    const int clips = static_cast<int>(character.clips.size());
    const int poses = std::max(1, kBodyPoses / clips);
    std::vector<double> ratios;
    ratios.reserve(edges.body.size() * static_cast<std::size_t>(poses * clips));
    for (const Clip& clip : character.clips) {
        const ClipSampler sampler(character, &clip);
        for (int i = 0; i < poses; ++i) {
            const double time = clip.start + (clip.end - clip.start) * (i + 0.5) / poses;
            const auto positions =
                skinned(character.mesh, edges.vertices, skin_matrices(character, binds, sampler.world(time)));
            for (const SkinEdge& edge : edges.body) ratios.push_back(edge_ratio(edge, positions, scale));
        }
    }
    return percentile(std::move(ratios), 99);
}

// One chain's skin, to be laid in one rest pose after another with everything else in the bind pose.
class RestTrial {
public:
    RestTrial(const Rigged& rigged, int chain, const Weld& weld)
        : rigged_(&rigged),
          binds_(inverse_binds(rigged.character)),
          chain_(&rigged.chains[static_cast<std::size_t>(chain)])
    {
        const auto weights = tail_weights(rigged.character, {chain_, 1});
        edges_ = skin_edges(rigged.character.mesh, weights, weld, 1);
    }

    bool within(const RestArc& arc, double tail_limit, double seam_limit) const
    {
        const auto positions =
            skinned(rigged_->character.mesh, edges_.vertices, pose(arc, Eigen::Vector3d::UnitX(), 0));
        std::vector<double> tail, seam;
        int torn = 0;
        for (const SkinEdge& edge : edges_.tail) {
            tail.push_back(edge_ratio(edge, positions, 1));
            torn += tail.back() > kTorn || tail.back() < kCrushed;
        }
        for (const SkinEdge& edge : edges_.seam) seam.push_back(edge_ratio(edge, positions, 1));
        return torn <= kTornShare * static_cast<double>(tail.size()) && percentile(std::move(tail), 99) <= tail_limit &&
               percentile(std::move(seam), 99) <= seam_limit;
    }

    // Share of the tail's edges torn with every link bent alike, to that of four sides which tears most.
    double torn_when_bent(const RestArc& arc, double bend) const
    {
        // Sideways, and up and down: the axes across the direction that the chain has as a whole.
        Eigen::Vector3d along = Eigen::Vector3d::Zero();
        for (const RestLink& link : arc.links) along += link.length * (link.pelvis_from_parent * link.rest);
        const Eigen::Vector3d side = Eigen::Vector3d::UnitX(), over = along.cross(side).normalized();
        int most = 0;
        for (const Eigen::Vector3d& axis : {side, Eigen::Vector3d(-side), over, Eigen::Vector3d(-over)}) {
            const auto positions = skinned(rigged_->character.mesh, edges_.vertices, pose(arc, axis, bend));
            int torn = 0;
            for (const SkinEdge& edge : edges_.tail) {
                const double ratio = edge_ratio(edge, positions, 1);
                torn += ratio > kTorn || ratio < kCrushed;
            }
            most = std::max(most, torn);
        }
        return most / std::max(1.0, static_cast<double>(edges_.tail.size()));
    }

private:
    // Bind space to bind space, per joint: identity but for the chain, whose every link is bent away from its rest
    // about one axis of the pelvis frame.
    std::vector<Eigen::Affine3d> pose(const RestArc& arc, const Eigen::Vector3d& axis, double bend) const
    {
        const auto& joints = rigged_->character.joints;
        std::vector<Eigen::Affine3d> out(joints.size(), Eigen::Affine3d::Identity());
        auto parent = static_cast<std::size_t>(chain_->attach);
        Eigen::Affine3d bind_from_parent(joints[parent].bind_from_joint);
        for (std::size_t i = 0; i < arc.links.size(); ++i) {
            const auto joint = static_cast<std::size_t>(chain_->links[i]);
            const Eigen::Affine3d neutral = binds_[parent] * Eigen::Affine3d(joints[joint].bind_from_joint);
            const RestLink& link = arc.links[i];
            Eigen::Affine3d local = neutral;
            const Eigen::Matrix3d& frame = link.pelvis_from_parent;
            const Eigen::Vector3d direction = frame.transpose() * (Eigen::AngleAxisd(bend, axis) * (frame * link.rest));
            local.linear() = swing(link.neutral, direction).toRotationMatrix() * neutral.linear();
            bind_from_parent = bind_from_parent * local;
            out[joint] = bind_from_parent * binds_[joint];
            parent = joint;
        }
        return out;
    }

    const Rigged* rigged_;
    std::vector<Eigen::Affine3d> binds_;
    const JointChain* chain_;
    SkinEdges edges_;
};

// The farthest bend at which few edges tear; a thick tail of short links crushes its inner side long before 30 degrees.
double bearable_bend_deg(const RestTrial& trial, const RestArc& arc)
{
    double bend = kWidestBend;
    while (bend > kLeastBend && trial.torn_when_bent(arc, bend * std::numbers::pi / 180) > kBentTornShare)
        bend -= kBendStep;
    return bend < kWidestBend ? bend : 180;
}

double allowed(double limit, double share)
{
    return 1 + share * (limit - 1);
}

// Whether an arc may be chosen, by whichever rule applies.
struct Judge {
    const RestTrial* trial = nullptr;
    std::optional<double> body;
    RestOptions options;

    bool operator()(const RestArc& arc) const
    {
        if (!body) return arc.root_turn_deg <= options.root_turn_deg;
        // Standing still is not all: from there the tail must be able to swing.
        return trial->within(arc, allowed(std::max(*body, kTailFloor), options.share),
                             allowed(std::max(kSeamShare * *body, kSeamFloor), options.share)) &&
               trial->torn_when_bent(arc, kLeastBend * std::numbers::pi / 180) <= kBentTornShare;
    }

    std::string rule() const
    {
        if (!body)
            return fmt::format("that turns the root by at most {:g} degrees and keeps the tail behind the hips",
                               options.root_turn_deg);
        return fmt::format("that keeps tail and seam within {:g} of what the body's own stretch (p99 {:.2f}) allows, "
                           "and the tail behind the hips",
                           options.share, *body);
    }
};

// How far ahead of the root the foremost tip of the rest pose lies (pelvis frame: z forward).
double reach_ahead(const RestArc& arc)
{
    Eigen::Vector3d tip = Eigen::Vector3d::Zero();
    double ahead = -std::numeric_limits<double>::infinity();
    for (const RestLink& link : arc.links) {
        tip += link.length * (link.pelvis_from_parent * link.rest);
        ahead = std::max(ahead, tip.z());
    }
    return ahead;
}

// Carry lifts a tail that is curled over the back towards the front plane, where every swing would throw its tip
// about: it may not bring the tail nearer to the plane than it is without, unless half a link's length stays between.
bool keeps_behind(const RestArc& carried, const RestArc& bare)
{
    return reach_ahead(carried) <= std::max(reach_ahead(bare) + 1e-9, -0.5 * bare.links.front().length);
}

RestArc fit_arc(const Rigged& rigged, int chain, const Frame& frame, const Judge& judge)
{
    const RestOptions& options = judge.options;
    const bool free_curve = options.curve.is("auto");
    // The modelled curve without carry is the bind pose, which stretches nothing: some arc always passes.
    double curve = free_curve ? 0 : options.curve.number;
    if (!free_curve) {
        RestArc arc = shape_rest_arc(rigged, chain, frame, curve, options.carry_deg);
        arc.reason = fmt::format("rest curve {:g} and carry {:g} degrees, as asked", curve, options.carry_deg);
        return arc;
    }
    while (curve < 1 && !judge(shape_rest_arc(rigged, chain, frame, curve, 0)))
        curve = std::min(1.0, curve + kCurveStep);
    double carry = options.carry_deg;
    const RestArc bare = shape_rest_arc(rigged, chain, frame, curve, 0);
    RestArc arc = shape_rest_arc(rigged, chain, frame, curve, carry);
    while (carry > 0 && !(judge(arc) && keeps_behind(arc, bare))) {
        carry = std::max(0.0, carry - kCarryStep);
        arc = shape_rest_arc(rigged, chain, frame, curve, carry);
    }
    arc.reason = fmt::format("rest curve {:.2f}, the most centred, and carry {:.0f} of {:g} degrees, the most, {}",
                             curve, carry, options.carry_deg, judge.rule());
    return arc;
}

} // namespace

std::vector<RestArc> fit_rest_arcs(const Rigged& rigged, const Weld& weld, const Roles& roles, const World& world,
                                   const RestOptions& options)
{
    std::optional<double> body;
    if (options.curve.is("auto"))
        body = body_stretch(rigged.character, tail_weights(rigged.character, rigged.chains), weld, world.unit_scale);
    std::vector<RestArc> arcs;
    for (int chain = 0; chain < static_cast<int>(rigged.chains.size()); ++chain) {
        const RestTrial trial(rigged, chain, weld);
        arcs.push_back(fit_arc(rigged, chain, roles.frame, {&trial, body, options}));
        RestArc& arc = arcs.back();
        if (options.skin_limit) arc.bend_limit_deg = bearable_bend_deg(trial, arc);
        if (arc.bend_limit_deg < kWidestBend)
            arc.reason +=
                fmt::format("; links bend by at most {:g} degrees, where the skin would tear", arc.bend_limit_deg);
    }
    return arcs;
}

} // namespace tailfix
