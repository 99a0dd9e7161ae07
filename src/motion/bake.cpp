#include <tailfix/motion/bake.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <tailfix/error.h>

#include "motion/drive.h"
#include "motion/keys.h"
#include "motion/passes.h"
#include "motion/support_points.h"

namespace tailfix {

namespace {

// Seconds. A step is kept for every 1/120 s, some 600 bytes of it: an hour is 0.3 GB, and no clip that anyone plays.
constexpr double kLongestClip = 3600;

double distance_to_bone(const Eigen::Vector3d& p, const Eigen::Vector3d& head, const Eigen::Vector3d& tip)
{
    const Eigen::Vector3d bone = tip - head;
    const double length2 = bone.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - head).dot(bone) / length2, 0.0, 1.0) : 0;
    return (p - head - t * bone).norm();
}

// Per link, the farthest skin that mostly follows it, from its bone; bind units.
std::vector<double> skin_radii(const Character& character, const JointChain& chain)
{
    std::vector<int> link_of_joint(character.joints.size(), kNone);
    for (std::size_t i = 0; i < chain.links.size(); ++i)
        link_of_joint[static_cast<std::size_t>(chain.links[i])] = static_cast<int>(i);
    std::vector<double> radii(chain.links.size(), 0);
    for (int v = 0; v < character.mesh.vertex_count(); ++v) {
        const int joint = dominant_joint(character.mesh, v);
        const int link = joint == kNone ? kNone : link_of_joint[static_cast<std::size_t>(joint)];
        if (link == kNone) continue;
        const auto i = static_cast<std::size_t>(link);
        const int next = i + 1 < chain.links.size() ? chain.links[i + 1] : chain.end;
        const Eigen::Vector3d head = character.joints[static_cast<std::size_t>(joint)].position();
        const Eigen::Vector3d tip = next == kNone ? head : character.joints[static_cast<std::size_t>(next)].position();
        radii[i] =
            std::max(radii[i], distance_to_bone(character.mesh.positions[static_cast<std::size_t>(v)], head, tip));
    }
    return radii;
}

struct BakeInput {
    const Rigged* rigged;
    const World* world;
    const std::vector<RestArc>* arcs;
    std::vector<KeyedChain> chains; // beside arcs
    StepRules rules;
    BakeOptions options;
};

int contact_frames(const Recording& recording, const Drive& drive, double rate_hz)
{
    int frames = 0;
    for (const float time : rate_times(drive.start, drive.end, rate_hz)) {
        const double place = drive.dt > 0 ? std::round((static_cast<double>(time) - drive.start) / drive.dt) : 0;
        frames +=
            recording.on_floor[std::min(static_cast<std::size_t>(std::max(place, 0.0)), recording.times() - 1)] != 0;
    }
    return frames;
}

BakedClip bake_clip(const BakeInput& input, int index)
{
    const Clip& clip = input.rigged->character.clips[static_cast<std::size_t>(index)];
    if (!(clip.end - clip.start <= kLongestClip))
        throw Error(
            Failure::Invalid,
            fmt::format("animation {} (\"{}\") lasts {:.3g} s, and at most {:g} s are baked; --clips can leave it "
                        "out",
                        clip.animation, clip.name, clip.end - clip.start, kLongestClip));
    const double height_m = input.world->height / input.world->units_per_meter;
    const double longest = std::min(input.options.step_s, longest_step(input.rules.spring));
    BakedClip baked;
    baked.clip = index;
    for (std::size_t c = 0; c < input.arcs->size(); ++c) {
        const RestArc& arc = (*input.arcs)[c];
        if (arc.links.empty()) continue;
        const Drive drive = sample_drive(*input.rigged, clip, arc, *input.world, longest);
        if (baked.tracks.empty()) baked.kind = clip_kind(*input.rigged, clip, drive, arc, height_m, input.options);
        const Performance performance = perform(drive, baked.kind, arc, input.rules, input.options);

        const bool loop = baked.kind == ClipKind::Loop || baked.kind == ClipKind::LoopRootMotion;
        const KeyRules rules{input.options.rate_hz, input.options.key_tolerance_percent / 100 * height_m, loop};
        for (BakedTrack& track : key_tracks(performance.recording, drive, input.chains[c], rules))
            baked.tracks.push_back(std::move(track));
        baked.warmup_passes = std::max(baked.warmup_passes, performance.warmup_passes);
        baked.converged = baked.converged && performance.converged;
        baked.seam_deg = std::max(baked.seam_deg, performance.seam_deg);
        baked.seam_speed_deg_s = std::max(baked.seam_speed_deg_s, performance.seam_speed_deg_s);
        baked.contact_frames =
            std::max(baked.contact_frames, contact_frames(performance.recording, drive, input.options.rate_hz));
        baked.max_bend_deg = std::max(baked.max_bend_deg, performance.recording.max_bend_rad * 180 / std::numbers::pi);
    }
    return baked;
}

} // namespace

std::vector<BakedClip> bake_clips(const Rigged& rigged, const World& world, const std::vector<RestArc>& arcs,
                                  const Floor& floor, const MotionOptions& options, int threads)
{
    BakeInput input{&rigged, &world, &arcs, {}, {options.spring, options.contact, std::nullopt}, options.bake};
    if (floor.exists) input.rules.floor = (floor.height + floor.clearance) / world.units_per_meter;
    for (const RestArc& arc : arcs) {
        const JointChain& chain = rigged.chains[static_cast<std::size_t>(arc.chain)];
        KeyedChain keyed{&arc, chain.links, skin_radii(rigged.character, chain), world.meters_per_bind_unit()};
        for (double& radius : keyed.radius) radius *= keyed.meters_per_bind_unit;
        input.chains.push_back(std::move(keyed));
    }

    std::vector<int> clips;
    for (int i = 0; i < static_cast<int>(rigged.character.clips.size()); ++i)
        if (glob_match(options.bake.clips, rigged.character.clips[static_cast<std::size_t>(i)].name))
            clips.push_back(i);
    std::vector<BakedClip> baked(clips.size());
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    arena.execute([&] {
        tbb::parallel_for(std::size_t{0}, clips.size(), [&](std::size_t i) { baked[i] = bake_clip(input, clips[i]); });
    });
    return baked;
}

std::vector<std::string> unmatched_clip_names(const Character& character, const BakeOptions& options)
{
    if (character.clips.empty()) return {};
    const auto any = [&](const auto& matches) {
        return std::any_of(character.clips.begin(), character.clips.end(),
                           [&](const Clip& clip) { return matches(clip.name); });
    };
    std::vector<std::string> warnings;
    if (!any([&](const std::string& name) { return glob_match(options.clips, name); }))
        warnings.push_back(fmt::format("--clips \"{}\" matches none of the {} clips: no motion is baked", options.clips,
                                       character.clips.size()));
    if (options.loop == "auto" || options.loop == "all" || options.loop == "none") return warnings;
    for (const auto& wanted : split_names(options.loop))
        if (!any([&](const std::string& name) { return name == wanted; }))
            warnings.push_back(fmt::format("--loop \"{}\": no clip has that name", wanted));
    return warnings;
}

} // namespace tailfix
