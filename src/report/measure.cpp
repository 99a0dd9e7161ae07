#include <tailfix/report/measure.h>

#include <algorithm>
#include <limits>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "motion/kinematics.h"
#include "motion/skin_edges.h"
#include "motion/support_points.h"
#include "report/bone_distance.h"
#include "report/histogram.h"

namespace tailfix {

namespace {

struct PartHistograms {
    RatioHistogram tail, seam, body;

    void add(const PartHistograms& other)
    {
        tail.add(other.tail);
        seam.add(other.seam);
        body.add(other.body);
    }
    SkinStretch summary() const { return {tail.summary(), seam.summary(), body.summary()}; }
};

struct ClipHistograms {
    PartHistograms before, rigid, after;
};

// What every clip is measured on.
struct Harness {
    const Measured* measured = nullptr;
    SkinEdges edges;
    std::vector<int> tail_attach;  // per vertex of edges: the joint its tail hangs from, or kNone off the tail
    std::vector<char> changed;     // per vertex of edges: it does not move as in the input
    std::vector<int> body_support; // vertices that may be the lowest
    std::vector<int> tail_support;
    std::vector<int> tail_support_attach;
    double body_floor = 0, counted_floor = 0; // lowest skin of the reference pose: without the tail, and with it
    std::vector<Eigen::Affine3d> input_binds, rigged_binds;
};

// Joint that the chain hangs from which has most of a vertex's tail weight; kNone below half.
std::vector<int> attach_of_vertex(const Rigged& rigged)
{
    std::vector<int> out(rigged.character.mesh.positions.size(), kNone);
    const auto total = tail_weights(rigged.character, rigged.chains);
    std::vector<double> most(out.size(), 0);
    for (const JointChain& chain : rigged.chains) {
        const auto weights = tail_weights(rigged.character, {&chain, 1});
        for (std::size_t v = 0; v < out.size(); ++v) {
            if (total[v] <= 0.5 || weights[v] <= most[v]) continue;
            most[v] = weights[v];
            out[v] = chain.attach;
        }
    }
    return out;
}

double lowest_reference(const Mesh& mesh, const std::vector<int>& vertices, const World& world)
{
    double low = std::numeric_limits<double>::infinity();
    for (const int v : vertices)
        low = std::min(low, (world.world_from_bind * mesh.positions[static_cast<std::size_t>(v)]).y());
    return low;
}

Harness make_harness(const Measured& measured, const MeasureOptions& options)
{
    Harness h;
    h.measured = &measured;
    const Rigged& rigged = measured.rigged;
    const Mesh& mesh = rigged.character.mesh;
    const auto attach = attach_of_vertex(rigged);
    const auto weights = tail_weights(rigged.character, rigged.chains);
    h.edges = skin_edges(mesh, weights, measured.weld, options.body_edges);
    std::vector<char> on_tail(attach.size()), off_tail(attach.size());
    for (std::size_t v = 0; v < attach.size(); ++v) {
        on_tail[v] = attach[v] != kNone;
        off_tail[v] = attach[v] == kNone;
    }
    for (const int v : h.edges.vertices) {
        h.tail_attach.push_back(attach[static_cast<std::size_t>(v)]);
        // Skin of a chain that an earlier run grew keeps its weights, and moves by other keys.
        h.changed.push_back(rigged.vertex_changed[static_cast<std::size_t>(v)] ||
                            weights[static_cast<std::size_t>(v)] > 0);
    }
    h.body_support = support_points(mesh, on_tail);
    h.tail_support = support_points(mesh, off_tail);
    for (const int v : h.tail_support) h.tail_support_attach.push_back(attach[static_cast<std::size_t>(v)]);
    h.body_floor = lowest_reference(mesh, h.body_support, measured.world);
    h.counted_floor = std::min(h.body_floor, lowest_reference(mesh, h.tail_support, measured.world));
    h.input_binds = inverse_binds(measured.input);
    h.rigged_binds = inverse_binds(rigged.character);
    return h;
}

// The baked rotations as tracks of the rigged character's nodes.
std::vector<Track> baked_tracks(const Character& character, const BakedClip& baked)
{
    std::vector<Track> out;
    for (const BakedTrack& track : baked.tracks) {
        Track t{character.joints[static_cast<std::size_t>(track.joint)].node,
                Path::Rotation,
                Interpolation::Linear,
                track.times,
                {}};
        for (const auto& q : track.rotations) t.values.insert(t.values.end(), {q.x(), q.y(), q.z(), q.w()});
        out.push_back(std::move(t));
    }
    return out;
}

void count(const std::vector<SkinEdge>& edges, const std::vector<Eigen::Vector3d>& positions, double scale,
           RatioHistogram& out)
{
    for (const SkinEdge& edge : edges)
        out.add((positions[static_cast<std::size_t>(edge.a)] - positions[static_cast<std::size_t>(edge.b)]).norm() /
                (edge.length * scale));
}

void count(const SkinEdges& edges, const std::vector<Eigen::Vector3d>& positions, double scale, PartHistograms& out)
{
    count(edges.tail, positions, scale, out.tail);
    count(edges.seam, positions, scale, out.seam);
    count(edges.body, positions, scale, out.body);
}

// One pose of the three skins.
void count_pose(const Harness& h, const std::vector<Eigen::Affine3d>& input_skin,
                const std::vector<Eigen::Affine3d>& rigged_skin, ClipHistograms& out)
{
    const Mesh &input = h.measured->input.mesh, &fixed = h.measured->rigged.character.mesh;
    std::vector<Eigen::Vector3d> before, rigid, after;
    const std::size_t count_vertices = h.edges.vertices.size();
    before.reserve(count_vertices), rigid.reserve(count_vertices), after.reserve(count_vertices);
    for (std::size_t i = 0; i < count_vertices; ++i) {
        const int vertex = h.edges.vertices[i];
        before.push_back(skin_vertex(input, input_skin, vertex));
        after.push_back(h.changed[i] ? skin_vertex(fixed, rigged_skin, vertex) : before.back());
        const int attach = h.tail_attach[i];
        rigid.push_back(attach == kNone ? before.back()
                                        : Eigen::Vector3d(rigged_skin[static_cast<std::size_t>(attach)] *
                                                          fixed.positions[static_cast<std::size_t>(vertex)]));
    }
    const double scale = h.measured->world.unit_scale;
    count(h.edges, before, scale, out.before);
    count(h.edges, rigid, scale, out.rigid);
    count(h.edges, after, scale, out.after);
}

// Lowest skin of the body in one pose, and with the tail rigid on its joint.
struct Lowest {
    double body, counted;
};

Lowest lowest_skin(const Harness& h, const std::vector<Eigen::Affine3d>& rigged_skin)
{
    const Mesh& mesh = h.measured->rigged.character.mesh;
    Lowest out{std::numeric_limits<double>::infinity(), 0};
    for (const int v : h.body_support) out.body = std::min(out.body, skin_vertex(mesh, rigged_skin, v).y());
    out.counted = out.body;
    for (std::size_t i = 0; i < h.tail_support.size(); ++i) {
        const auto& skin = rigged_skin[static_cast<std::size_t>(h.tail_support_attach[i])];
        out.counted = std::min(out.counted, (skin * mesh.positions[static_cast<std::size_t>(h.tail_support[i])]).y());
    }
    return out;
}

// Source: method.md 9, grounding: the lift is max(0, -c(t)) with c the clearance over the reference floor. The tail is
// left out of both minima or of neither: leaving it out of one alone gives a false floor (method.md 10).
void ground_pose(const Harness& h, const std::vector<Eigen::Affine3d>& rigged_skin, Grounding& out)
{
    const Lowest low = lowest_skin(h, rigged_skin);
    const double meters = 1 / h.measured->world.units_per_meter;
    if (h.body_support.empty()) return;
    out.lift_tail_excluded = std::max(out.lift_tail_excluded, (h.body_floor - low.body) * meters);
    out.lift_tail_counted = std::max(out.lift_tail_counted, (h.counted_floor - low.counted) * meters);
}

ClipHistograms measure_clip(const Harness& h, const BakedClip& baked, const MeasureOptions& options, ClipMeasure& out)
{
    const Character &input = h.measured->input, &fixed = h.measured->rigged.character;
    const Clip& clip = fixed.clips[static_cast<std::size_t>(baked.clip)];
    const ClipSampler input_sampler(input, &input.clips[static_cast<std::size_t>(baked.clip)]);
    ClipSampler fixed_sampler(fixed, &clip);
    const auto tracks = baked_tracks(fixed, baked);
    for (const Track& track : tracks) fixed_sampler.add(track);
    ClipHistograms histograms;
    for (int i = 0; i < options.times; ++i) {
        const double time = clip.start + (clip.end - clip.start) * i / (options.times - 1);
        const auto input_skin = skin_matrices(input, h.input_binds, input_sampler.world(time));
        const auto fixed_skin = skin_matrices(fixed, h.rigged_binds, fixed_sampler.world(time));
        count_pose(h, input_skin, fixed_skin, histograms);
        ground_pose(h, fixed_skin, out.grounding);
    }
    out.clip = baked.clip;
    out.before = histograms.before.summary();
    out.rigid = histograms.rigid.summary();
    out.after = histograms.after.summary();
    return histograms;
}

// Before and after, in the bind pose. The chain's own segments drive what its links carry.
void measure_bone_distance(const Measured& measured, Measures& out)
{
    const Character& fixed = measured.rigged.character;
    std::vector<Bone> before = measured.roles.bones, bones = before;
    for (const JointChain& chain : measured.rigged.chains)
        for (std::size_t i = 0; i < chain.links.size(); ++i) {
            const int next = i + 1 < chain.links.size() ? chain.links[i + 1] : chain.end;
            const Joint& joint = fixed.joints[static_cast<std::size_t>(chain.links[i])];
            bones.push_back(
                {chain.links[i], joint.position(),
                 next == kNone ? joint.position() : fixed.joints[static_cast<std::size_t>(next)].position()});
            if (chain.links[i] < measured.rigged.first_new_joint) before.push_back(bones.back());
        }
    std::vector<int> tail;
    const auto weights = tail_weights(fixed, measured.rigged.chains);
    for (std::size_t v = 0; v < weights.size(); ++v)
        if (weights[v] > 0.5) tail.push_back(static_cast<int>(v));
    const double meters = measured.world.meters_per_bind_unit();
    out.bone_distance_before = meters * mean_bone_distance(measured.input, before, tail);
    out.bone_distance_after = meters * mean_bone_distance(fixed, bones, tail);
}

} // namespace

Measures measure(const Measured& measured, const MeasureOptions& options, int threads)
{
    Measures out;
    measure_bone_distance(measured, out);
    if (measured.clips.empty()) return out;
    const Harness harness = make_harness(measured, options);
    out.body_stride = harness.edges.body_stride;
    out.clips.resize(measured.clips.size());
    std::vector<ClipHistograms> histograms(measured.clips.size());
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    arena.execute([&] {
        tbb::parallel_for(std::size_t{0}, measured.clips.size(), [&](std::size_t i) {
            histograms[i] = measure_clip(harness, measured.clips[i], options, out.clips[i]);
        });
    });
    PartHistograms before, rigid, after;
    for (const ClipHistograms& clip : histograms) {
        before.add(clip.before);
        rigid.add(clip.rigid);
        after.add(clip.after);
    }
    out.before = before.summary();
    out.rigid = rigid.summary();
    out.after = after.summary();
    return out;
}

} // namespace tailfix
