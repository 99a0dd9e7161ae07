#include <cmath>
#include <numbers>

#include <tailfix/report/measure.h>

#include "motion/skin_edges.h"
#include "report/bone_distance.h"
#include "report/histogram.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

namespace {

Measures measured(const Rig& rig, const std::vector<BakedClip>& clips, const MeasureOptions& options = {},
                  int threads = 1)
{
    const World world = rig.world();
    return measure({rig.input, rig.rigged, clips, rig.weld, rig.roles, world}, options, threads);
}

} // namespace

TEST_CASE("percentiles interpolate between samples", "[measure]")
{
    CHECK(percentile({3, 1, 2}, 50) == 2);
    CHECK(percentile({0, 1}, 25) == 0.25);
    CHECK(percentile({5}, 99) == 5);
    CHECK(percentile({}, 99) == 1);
}

TEST_CASE("a histogram knows percentiles to a thousandth, and what is torn", "[measure]")
{
    RatioHistogram odd, even, all;
    for (int i = 0; i < 1000; ++i) (i % 2 ? odd : even).add(1 + i * 1e-3);
    all.add(even);
    all.add(odd);
    const Stretch s = all.summary();
    CHECK(s.samples == 1000);
    CHECK(s.p95 == Approx(1.949).margin(1.1e-3));
    CHECK(s.p99 == Approx(1.989).margin(1.1e-3));
    CHECK(s.max == Approx(1.999));
    CHECK(s.torn_percent == Approx(49.9)); // above 1.5
    RatioHistogram crushed;
    crushed.add(0.5);
    crushed.add(1);
    CHECK(crushed.summary().torn_percent == 50);
    CHECK(RatioHistogram().summary().p99 == 1);
}

TEST_CASE("a rigid tail measures exactly 1, whatever the file's units", "[measure]")
{
    RigOptions options;
    options.bind_scale = GENERATE(0.01, 1.0, 100.0);
    options.armature = GENERATE(Eigen::Quaterniond::Identity(), about({1, 0, 0}, -90));
    options.world_mirrored = GENERATE(false, true);
    Rig rig = make_rig(options);
    add_clip(rig, "sway", 1, [](double t) { return swaying(t, 1); });
    add_clip(rig, "walk", 1, [](double t) { return walking(t, 1); });
    const Measures m = measured(rig, bake(rig));
    for (const ClipMeasure& clip : m.clips) {
        CHECK(clip.rigid.tail.samples > 1000);
        CHECK(clip.rigid.tail.p95 == 1);
        CHECK(clip.rigid.tail.p99 == 1);
        CHECK(clip.rigid.tail.max == Approx(1).margin(1e-5));
        CHECK(clip.rigid.tail.torn_percent == 0);
    }
    CHECK(m.rigid.tail.samples == m.clips[0].rigid.tail.samples + m.clips[1].rigid.tail.samples);
}

TEST_CASE("skin that doubles its distance measures 2", "[measure]")
{
    // The left leg drives the far half of the tail before: turned away, only the edges between the halves stretch.
    Rig rig = make_rig();
    add_clip(rig, "still", 1, [](double) { return HipsPose{Vector3d(0, 1, 0)}; });
    const Joint& leg = rig.input.joints[2];
    Track turn{leg.node, Path::Rotation, Interpolation::Linear, {0, 1}, {}};
    const Eigen::Quaterniond q = about(Vector3d::UnitX(), 90);
    for (int i = 0; i < 2; ++i)
        for (const double v : {q.x(), q.y(), q.z(), q.w()}) turn.values.push_back(static_cast<float>(v));
    rig.input.clips[0].tracks.push_back(turn);
    rig.rigged.character.clips[0].tracks.push_back(turn);
    MotionOptions still;
    still.spring.gravity = 0;
    const Measures m = measured(rig, bake(rig, still));
    const Stretch before = m.before.tail, after = m.after.tail;
    CHECK(before.max > 3);
    CHECK(before.torn_percent > 1);
    CHECK(after.torn_percent == 0);
    CHECK(after.p99 < 1.3);
    CHECK(m.rigid.tail.p99 == 1);
}

TEST_CASE("the bind pose stretches nothing", "[measure]")
{
    Rig rig = make_rig();
    add_clip(rig, "still", 1, [](double) { return HipsPose{Vector3d(0, 1, 0)}; });
    MotionOptions options;
    options.spring.gravity = 0;
    const auto clips =
        bake_clips(rig.rigged, rig.world(), {shape_rest_arc(rig.rigged, 0, rig.roles.frame, 1, 0)}, {}, options, 1);
    const Measures m = measured(rig, clips);
    for (const SkinStretch& skin : {m.before, m.rigid, m.after})
        for (const Stretch& part : {skin.tail, skin.body}) {
            CHECK(part.samples > 0);
            CHECK(part.max == Approx(1).margin(1e-6));
            CHECK(part.torn_percent == 0);
        }
}

TEST_CASE("bone distance is the distance to the bone, and weighs what drives the skin", "[measure]")
{
    Character c;
    c.joints.resize(2);
    c.joints[1].bind_from_joint(0, 3) = 10;
    c.mesh.positions = {Vector3d(0.5, 3, 0), Vector3d(4, 0, 3)};
    c.mesh.first_influence = {0, 1, 3};
    c.mesh.influences = {{0, 1}, {0, 0.25}, {1, 0.75}};
    const std::vector<Bone> bones{{0, Vector3d::Zero(), Vector3d(1, 0, 0)}};
    CHECK(mean_bone_distance(c, bones, {0}) == Approx(3));
    // Joint 0's segment ends at x = 1, joint 1 is a point at x = 10.
    CHECK(mean_bone_distance(c, bones, {1}) == Approx(0.25 * std::sqrt(9 + 9) + 0.75 * std::sqrt(36 + 9)));
    CHECK(mean_bone_distance(c, bones, {}) == 0);
}

TEST_CASE("the chain drives the tail's skin from nearer than the leg did", "[measure]")
{
    RigOptions options;
    options.bind_scale = GENERATE(0.01, 1.0);
    const Measures m = measured(make_rig(options), {});
    CHECK(m.bone_distance_after == Approx(0.03).epsilon(0.3)); // about the tail's radius
    CHECK(m.bone_distance_before > 5 * m.bone_distance_after);
    CHECK(m.clips.empty());
}

TEST_CASE("a tail counted in grounding lifts the body, one left out does not", "[measure]")
{
    Rig rig = make_rig();
    add_clip(rig, "sink", 1, [](double t) { return HipsPose{Vector3d(0, 1 - 0.2 * t, 0)}; });
    const Measures sunk = measured(rig, bake(rig));
    CHECK(sunk.clips[0].grounding.lift_tail_excluded == Approx(0.2).margin(2e-3));

    RigOptions high;
    high.tail_direction = Vector3d(0, 0, -1); // reaches from 0.1 m to 0.9 m behind the hips
    Rig sitting = make_rig(high);
    add_clip(sitting, "sit", 1, [](double) { return HipsPose{Vector3d(0, 0.7, 0), about(Vector3d::UnitX(), -90)}; });
    const Grounding lift = measured(sitting, bake(sitting)).clips[0].grounding;
    // Turned on its back, the legs lie level and the rigid tail points down: its tip is 0.9 m under the hips at 0.7 m.
    CHECK(lift.lift_tail_excluded == 0);
    CHECK(lift.lift_tail_counted == Approx(0.2).margin(1e-3));
}

TEST_CASE("measures do not depend on threads, and sampling the body says so", "[measure]")
{
    Rig rig = make_rig();
    add_clip(rig, "sway", 1, [](double t) { return swaying(t, 1); });
    add_clip(rig, "walk", 1, [](double t) { return walking(t, 1); });
    const auto clips = bake(rig);
    const Measures one = measured(rig, clips, {}, 1), two = measured(rig, clips, {}, 2);
    CHECK(one.after.tail.p99 == two.after.tail.p99);
    CHECK(one.after.seam.max == two.after.seam.max);
    CHECK(one.body_stride == 1);
    MeasureOptions few;
    few.body_edges = 50;
    const Measures sampled = measured(rig, clips, few);
    CHECK(sampled.body_stride > 1);
    CHECK(sampled.after.body.samples < one.after.body.samples);
    CHECK(sampled.after.tail.samples == one.after.tail.samples);
}
