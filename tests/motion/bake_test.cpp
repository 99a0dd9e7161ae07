#include <algorithm>
#include <cmath>
#include <numbers>

#include <tailfix/motion/bake.h>

#include "motion/drive.h"
#include "motion/keys.h"
#include "motion/kinematics.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

HipsPose standing(double)
{
    return {Vector3d(0, 1, 0)};
}

HipsPose leap(double t)
{
    return {Vector3d(0, 1 + 0.8 * std::sin(t), 0.4 * t), about(Vector3d::UnitX(), -35 * t)};
}

void add_usual_clips(Rig& rig)
{
    add_clip(rig, "sway", 1, [](double t) { return swaying(t, 1); });
    add_clip(rig, "walk", 0.9, [](double t) { return walking(t, 0.9); });
    add_clip(rig, "leap", 1.3, leap);
    add_clip(rig, "stand", 0.7, standing);
}

// Every key of the rate, so that keys can be compared one by one.
MotionOptions every_key(double rate = 30)
{
    MotionOptions options;
    options.bake.rate_hz = rate;
    options.bake.key_tolerance_percent = 0;
    return options;
}

Eigen::Quaterniond rotation_at(const BakedTrack& track, double time)
{
    Track t{0, Path::Rotation, Interpolation::Linear, track.times, {}};
    for (const auto& q : track.rotations)
        for (const float v : {q.x(), q.y(), q.z(), q.w()}) t.values.push_back(v);
    return Eigen::Quaterniond(sample_track(t, time));
}

double apart_deg(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b)
{
    return 2 * std::atan2((a.conjugate() * b).vec().norm(), std::abs((a.conjugate() * b).w())) * kDegrees;
}

double worst_apart(const std::vector<BakedClip>& a, const std::vector<BakedClip>& b)
{
    double worst = 0;
    REQUIRE(a.size() == b.size());
    for (std::size_t c = 0; c < a.size(); ++c) {
        REQUIRE(a[c].tracks.size() == b[c].tracks.size());
        for (std::size_t i = 0; i < a[c].tracks.size(); ++i)
            for (const float time : a[c].tracks[i].times)
                worst = std::max(worst, apart_deg(rotation_at(a[c].tracks[i], static_cast<double>(time)),
                                                  rotation_at(b[c].tracks[i], static_cast<double>(time))));
    }
    return worst;
}

bool identical(const BakedClip& a, const BakedClip& b)
{
    if (a.kind != b.kind || a.tracks.size() != b.tracks.size()) return false;
    for (std::size_t i = 0; i < a.tracks.size(); ++i) {
        if (a.tracks[i].times != b.tracks[i].times || a.tracks[i].rotations.size() != b.tracks[i].rotations.size())
            return false;
        for (std::size_t k = 0; k < a.tracks[i].rotations.size(); ++k)
            if (a.tracks[i].rotations[k].coeffs() != b.tracks[i].rotations[k].coeffs()) return false;
    }
    return true;
}

// Joint positions of the chain in the hips' frame, bind units, by the nodes of the file and the keys.
std::vector<Vector3d> chain_points(const Rig& rig, const BakedClip& clip, double time)
{
    const Character& c = rig.rigged.character;
    std::vector<Vector3d> out;
    Eigen::Affine3d at = Eigen::Affine3d::Identity();
    for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
        const Node& node =
            c.nodes[static_cast<std::size_t>(c.joints[static_cast<std::size_t>(clip.tracks[i].joint)].node)];
        at = at * Eigen::Translation3d(node.translation) * rotation_at(clip.tracks[i], time);
        out.push_back(at.translation());
    }
    const Node& end =
        c.nodes[static_cast<std::size_t>(c.joints[static_cast<std::size_t>(rig.rigged.chains[0].end)].node)];
    out.push_back(at * end.translation);
    return out;
}

double largest_swing(const BakedClip& clip)
{
    double worst = 0;
    for (const auto& track : clip.tracks)
        for (const auto& q : track.rotations)
            worst = std::max(worst, apart_deg(q.cast<double>(), track.rotations[0].cast<double>()));
    return worst;
}

} // namespace

TEST_CASE("clips are told apart by what the hips do", "[bake]")
{
    Rig rig = make_rig();
    add_usual_clips(rig);
    add_clip(rig, "blink", 0.05, [](double t) { return HipsPose{Vector3d(t, 1, 0)}; });
    add_clip(rig, "turn", 1, [](double t) { return HipsPose{Vector3d(0, 1, 0), about(Vector3d::UnitY(), 90 * t)}; });
    add_clip(
        rig, "last frame left out", 0.95, [](double t) { return swaying(t, 1); }, 0, 20);
    add_clip(
        rig, "two keys of a turn", 1,
        [](double t) {
            return HipsPose{Vector3d(0, 1, 0), about(Vector3d::UnitY(), 90 * t)};
        },
        0, 1);
    const auto baked = bake(rig);
    const std::vector<ClipKind> wanted{ClipKind::Loop,   ClipKind::LoopRootMotion, ClipKind::OneShot,
                                       ClipKind::Static, ClipKind::Static,         ClipKind::OneShot,
                                       ClipKind::Loop,   ClipKind::OneShot};
    REQUIRE(baked.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        INFO(rig.rigged.character.clips[i].name);
        CHECK(baked[i].kind == wanted[i]);
        CHECK(baked[i].tracks.size() == 4);
    }
}

TEST_CASE("loops may be named", "[bake]")
{
    Rig rig = make_rig();
    add_usual_clips(rig);
    MotionOptions options;
    const auto kinds = [&](const char* loop) {
        options.bake.loop = loop;
        std::vector<ClipKind> out;
        for (const BakedClip& clip : bake(rig, options)) out.push_back(clip.kind);
        return out;
    };
    using K = ClipKind;
    CHECK(kinds("all") == std::vector<K>{K::Loop, K::LoopRootMotion, K::LoopRootMotion, K::Static});
    CHECK(kinds("none") == std::vector<K>{K::OneShot, K::OneShot, K::OneShot, K::Static});
    CHECK(kinds("walk,leap") == std::vector<K>{K::OneShot, K::LoopRootMotion, K::LoopRootMotion, K::Static});
}

TEST_CASE("only the clips asked for are baked", "[bake]")
{
    Rig rig = make_rig();
    add_usual_clips(rig);
    MotionOptions options;
    options.bake.clips = "*a?k";
    const auto baked = bake(rig, options);
    REQUIRE(baked.size() == 1);
    CHECK(baked[0].clip == 1);
    CHECK(glob_match("*", ""));
    CHECK(glob_match("a*b*c", "aXbXbc"));
    CHECK_FALSE(glob_match("a*b", "abc"));
    CHECK_FALSE(glob_match("?", ""));
}

TEST_CASE("names that no clip answers to are warned of", "[bake]")
{
    Character character;
    CHECK(unmatched_clip_names(character, {}).empty());
    character.clips.resize(2);
    character.clips[0].name = "Walk";
    character.clips[1].name = "Run";
    BakeOptions options;
    CHECK(unmatched_clip_names(character, options).empty());
    options.clips = "W*";
    options.loop = "Run,Walk";
    CHECK(unmatched_clip_names(character, options).empty());
    options.clips = "Jump";
    options.loop = "Run,Hop,";
    const auto warnings = unmatched_clip_names(character, options);
    REQUIRE(warnings.size() == 3);
    CHECK(warnings[0].find("\"Jump\"") != std::string::npos);
    CHECK(warnings[1].find("\"Hop\"") != std::string::npos);
}

TEST_CASE("loops close in pose and speed", "[bake]")
{
    Rig rig = make_rig();
    const double floor_height = GENERATE(-1.0, 0.8); // 0.8: the tail drags
    add_usual_clips(rig);
    Floor floor;
    floor.exists = true;
    floor.height = floor_height;
    const auto baked = bake(rig, every_key(60), floor);
    for (const int c : {0, 1}) {
        const BakedClip& clip = baked[static_cast<std::size_t>(c)];
        CHECK(clip.converged);
        CHECK(clip.seam_deg < 0.005);
        CHECK(clip.seam_speed_deg_s < 0.1);
        CHECK(clip.warmup_passes > 0);
        CHECK(largest_swing(clip) > 2);
        CHECK((clip.contact_frames > 0) == (floor_height > 0));
        for (const BakedTrack& track : clip.tracks) {
            const std::size_t n = track.rotations.size();
            CHECK(apart_deg(track.rotations[0].cast<double>(), track.rotations[n - 1].cast<double>()) < 1e-4);
            const auto turn = [&](std::size_t a, std::size_t b) {
                const Eigen::Quaterniond d =
                    track.rotations[a].cast<double>().conjugate() * track.rotations[b].cast<double>();
                return Vector3d(2 * std::copysign(1.0, d.w()) * d.vec() * kDegrees * 60);
            };
            // Neighbouring spans of 1/60 s: what the speed changes in that time, as between any other two.
            double usual = 0;
            for (std::size_t k = 2; k < n; ++k) usual = std::max(usual, (turn(k - 1, k) - turn(k - 2, k - 1)).norm());
            CHECK((turn(0, 1) - turn(n - 2, n - 1)).norm() <= 1.2 * usual + 0.5);
        }
    }
}

// As clips cut out of a longer motion do: the hips turn back at the seam, from 2 m/s forth to 2 m/s back.
TEST_CASE("a kick of the clip itself at its seam does not show as a kick of the tail", "[bake]")
{
    Rig rig = make_rig();
    add_clip(rig, "kick", 0.8, [](double t) {
        const double forth = std::min(t, 0.8 - t);
        return HipsPose{Vector3d(2 * forth * (0.8 - forth) / 0.8, 1, 0), about(Vector3d::UnitY(), 60 * forth)};
    });
    const double tolerance = GENERATE(0.1, 1.0, 0.01);
    MotionOptions options;
    options.bake.key_tolerance_percent = tolerance;
    const BakedClip clip = bake(rig, options)[0];
    REQUIRE(clip.kind == ClipKind::Loop);
    CHECK(clip.converged);
    double fastest = 0, worst = 0;
    for (const BakedTrack& track : clip.tracks) {
        const std::size_t last = track.times.size() - 1;
        const auto speed = [&](std::size_t key) {
            const Eigen::Quaterniond d =
                track.rotations[key].cast<double>().conjugate() * track.rotations[key + 1].cast<double>();
            const double dt = static_cast<double>(track.times[key + 1]) - static_cast<double>(track.times[key]);
            return Vector3d(2 * std::copysign(1.0, d.w()) * d.vec() * kDegrees / dt);
        };
        REQUIRE(last > 3);
        CHECK(track.times[1] - track.times[0] == Approx(track.times[last] - track.times[last - 1]).epsilon(1e-3));
        worst = std::max(worst, (speed(0) - speed(last - 1)).norm());
        for (std::size_t k = 0; k < last; ++k) fastest = std::max(fastest, speed(k).norm());
    }
    CHECK(fastest > 60); // the tail does follow
    CHECK(worst < 60);
}

TEST_CASE("a loop that finds no period is closed over its seam, and says so", "[bake]")
{
    Rig rig = make_rig();
    add_clip(rig, "sway", 1, [](double t) { return swaying(t, 1); });
    MotionOptions options = every_key();
    options.bake.warmup_max_s = 0; // one pass: the tail has not settled
    options.bake.settled_deg = 1e-6;
    const BakedClip clip = bake(rig, options)[0];
    CHECK_FALSE(clip.converged);
    CHECK(clip.seam_deg > 1e-6);
    CHECK(clip.warmup_passes == 1);
    for (const BakedTrack& track : clip.tracks)
        CHECK(apart_deg(track.rotations.front().cast<double>(), track.rotations.back().cast<double>()) < 1e-4);
}

TEST_CASE("a travelling loop swings as it would in one long walk", "[bake]")
{
    Rig rig = make_rig();
    add_clip(rig, "loop", 1, [](double t) { return walking(t, 1); });
    add_clip(rig, "long", 12, [](double t) { return walking(t, 1); });
    MotionOptions options = every_key();
    options.bake.loop = "loop";
    const auto baked = bake(rig, options);
    for (std::size_t i = 0; i < 4; ++i)
        for (double t = 0; t <= 1; t += 0.1)
            CHECK(apart_deg(rotation_at(baked[0].tracks[i], t), rotation_at(baked[1].tracks[i], 10 + t)) < 0.02);
}

TEST_CASE("a clip that turns on goes on turning when it is said to loop", "[bake]")
{
    Rig rig = make_rig();
    add_clip(rig, "turn", 2, [](double t) { return HipsPose{Vector3d(0, 1, 0), about(Vector3d::UnitY(), 120 * t)}; });
    MotionOptions options = every_key();
    options.bake.loop = "all";
    const BakedClip clip = bake(rig, options)[0];
    CHECK(clip.kind == ClipKind::LoopRootMotion);
    CHECK(clip.converged);
    // Turning evenly, the tail hangs to one side and does not move.
    CHECK(largest_swing(clip) < 0.05);
    CHECK(clip.max_bend_deg > 5);
}

TEST_CASE("a one-shot begins at rest in its first pose", "[bake]")
{
    Rig rig = make_rig();
    add_clip(rig, "leap", 1.3, leap);
    add_clip(rig, "held", 1, [](double) { return leap(0); });
    const auto baked = bake(rig, every_key());
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(apart_deg(rotation_at(baked[0].tracks[i], 0), rotation_at(baked[1].tracks[i], 0)) < 0.01);
    CHECK(largest_swing(baked[0]) > 3);
    CHECK(baked[1].kind == ClipKind::Static);
    CHECK(baked[1].tracks[0].times == std::vector<float>{0, 1});
}

TEST_CASE("keys span the clip exactly, wherever it begins", "[bake]")
{
    Rig rig = make_rig();
    add_clip(
        rig, "late", 0.77, [](double t) { return swaying(t, 0.77); }, 3.1);
    add_clip(rig, "instant", 0, standing, 2);
    for (const double tolerance : {0.0, 0.1}) {
        MotionOptions options;
        options.bake.key_tolerance_percent = tolerance;
        const auto baked = bake(rig, options);
        for (const BakedTrack& track : baked[0].tracks) {
            CHECK(static_cast<double>(track.times.front()) == rig.rigged.character.clips[0].start);
            CHECK(static_cast<double>(track.times.back()) == rig.rigged.character.clips[0].end);
            CHECK(std::is_sorted(track.times.begin(), track.times.end()));
            for (std::size_t k = 0; k < track.rotations.size(); ++k) {
                CHECK(track.rotations[k].norm() == Approx(1).margin(1e-6));
                if (k > 0) CHECK(track.rotations[k].dot(track.rotations[k - 1]) >= 0);
            }
        }
        for (const BakedTrack& track : baked[1].tracks) CHECK(track.times == std::vector<float>{2});
    }
}

TEST_CASE("key rates agree at shared times", "[bake]")
{
    Rig rig = make_rig();
    add_usual_clips(rig);
    const auto at24 = bake(rig, every_key(24)), at30 = bake(rig, every_key(30)), at60 = bake(rig, every_key(60));
    for (std::size_t c = 0; c < at60.size(); ++c)
        for (std::size_t i = 0; i < 4; ++i) {
            const BakedTrack& fine = at60[c].tracks[i];
            int shared = 0;
            for (const auto* coarse : {&at24[c].tracks[i], &at30[c].tracks[i]})
                for (std::size_t k = 0; k < coarse->times.size(); ++k) {
                    const auto found = std::find(fine.times.begin(), fine.times.end(), coarse->times[k]);
                    if (found == fine.times.end()) continue;
                    ++shared;
                    const auto& q = fine.rotations[static_cast<std::size_t>(found - fine.times.begin())];
                    CHECK(apart_deg(q.cast<double>(), coarse->rotations[k].cast<double>()) <
                          2e-5); // a float's rounding
                }
            CHECK(shared >= (at60[c].kind == ClipKind::Static ? 4 : 20));
        }
}

TEST_CASE("reduced keys keep the skin where the simulation has it", "[bake]")
{
    const double rate = GENERATE(5.0, 24.0, 30.0, 60.0);
    Rig rig = make_rig();
    add_clip(rig, "sway", 2, [](double t) { return swaying(t, 1); });
    add_clip(rig, "leap", 1.3, leap);
    MotionOptions options;
    options.bake.rate_hz = rate;
    const auto reduced = bake(rig, options);
    const auto full = bake(rig, every_key(1000)); // beyond the grid: the simulation itself
    const double tolerance = 0.001 * rig.roles.height;
    for (std::size_t c = 0; c < full.size(); ++c) {
        for (const float time : full[c].tracks[0].times) {
            const auto a = chain_points(rig, reduced[c], static_cast<double>(time)),
                       b = chain_points(rig, full[c], static_cast<double>(time));
            for (std::size_t i = 0; i < a.size(); ++i) REQUIRE((a[i] - b[i]).norm() <= 1.05 * tolerance);
        }
        if (rate == 60)
            CHECK(reduced[c].tracks[0].times.size() < 0.7 * bake(rig, every_key(60))[c].tracks[0].times.size());
    }
}

TEST_CASE("threads, clip order and the stored pose do not change a track", "[bake]")
{
    Rig rig = make_rig();
    add_usual_clips(rig);
    const auto one = bake(rig, {}, {}, 1);
    const auto two = bake(rig, {}, {}, 2);
    RigOptions other_pose;
    other_pose.other_stored_pose = true;
    Rig posed = make_rig(other_pose);
    add_usual_clips(posed);
    const auto stored = bake(posed);
    Rig reversed = rig;
    std::reverse(reversed.rigged.character.clips.begin(), reversed.rigged.character.clips.end());
    const auto back = bake(reversed, {}, {}, 2);
    for (std::size_t c = 0; c < one.size(); ++c) {
        CHECK(identical(one[c], two[c]));
        CHECK(identical(one[c], back[one.size() - 1 - c]));
        CHECK(identical(one[c], stored[c]));
    }
}

TEST_CASE("scale, a Z-up armature and the way the character faces do not matter", "[bake]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0.3, -1, -0.5);
    Rig plain = make_rig(options);
    add_usual_clips(plain);
    Floor floor;
    floor.exists = true;
    floor.height = 0.4;
    const auto expected = bake(plain, every_key(), floor);
    options.bind_scale = GENERATE(0.01, 1.0, 100.0);
    options.armature = GENERATE(Eigen::Quaterniond::Identity(), about({1, 0, 0}, -90));
    options.hips_frame = GENERATE(Eigen::Quaterniond::Identity(), about({1, 2, 3}, 100));
    Rig rig = make_rig(options);
    add_usual_clips(rig);
    const auto baked = bake(rig, every_key(), floor);
    // Local rotations live in the joints' own frames: bring them to the world's axes.
    const Eigen::Quaterniond frame = options.armature * options.hips_frame;
    for (std::size_t c = 0; c < baked.size(); ++c) {
        CHECK(baked[c].kind == expected[c].kind);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t k = 0; k < baked[c].tracks[i].times.size(); ++k) {
                const Eigen::Quaterniond q = frame * baked[c].tracks[i].rotations[k].cast<double>() * frame.conjugate();
                REQUIRE(apart_deg(q, expected[c].tracks[i].rotations[k].cast<double>()) < 0.02); // the clip's floats
            }
    }
}

TEST_CASE("a mirrored character moves in mirror image", "[bake]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0.4, -1, -0.5);
    Floor floor;
    floor.exists = true;
    floor.height = 0.4;
    Rig plain = make_rig(options);
    add_usual_clips(plain);
    const auto expected = bake(plain, every_key(), floor);

    SECTION("by its root's scale: the same local rotations")
    {
        options.world_mirrored = true;
        Rig rig = make_rig(options);
        add_usual_clips(rig);
        CHECK(worst_apart(bake(rig, every_key(), floor), expected) < 1e-4);
    }
    SECTION("by its geometry: mirrored local rotations")
    {
        options.geometry_mirrored = true;
        Rig rig = make_rig(options);
        add_usual_clips(rig);
        auto baked = bake(rig, every_key(), floor);
        for (auto& clip : baked)
            for (auto& track : clip.tracks)
                for (auto& q : track.rotations) q = Eigen::Quaternionf(q.w(), q.x(), -q.y(), -q.z());
        CHECK(worst_apart(baked, expected) < 1e-4);
    }
}

TEST_CASE("a tail on a crouching body lies on the floor", "[bake]")
{
    Rig rig = make_rig();
    add_clip(rig, "crouch", 2,
             [](double t) { return HipsPose{Vector3d(0, 0.6 + 0.45 * std::cos(std::numbers::pi * t), 0)}; });
    Floor floor;
    floor.exists = true;
    floor.clearance = 0.025;
    const BakedClip clip = bake(rig, {}, floor)[0];
    CHECK(clip.contact_frames > 5);
    for (double t = 0; t <= 2; t += 0.01) {
        const double hips = 0.6 + 0.45 * std::cos(std::numbers::pi * t);
        for (const Vector3d& p : chain_points(rig, clip, t))
            if (hips - 0.05 > 0.025) REQUIRE(hips + p.y() > 0.025 - 0.002); // keys may stray by 0.1% of the height
    }
}

TEST_CASE("a character without clips gets no tracks", "[bake]")
{
    CHECK(bake(make_rig()).empty());
}
