#include "motion/drive.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

namespace tailfix {

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// The joint's own height, turn and place on the ground, as far as looping is concerned.
struct Shift {
    double turn_deg = 0, rise = 0, travel = 0; // metres
};

Shift shift_between(const RootPose& a, const RootPose& b)
{
    const Eigen::Vector3d way = b.head - a.head;
    const Eigen::AngleAxisd turn(Eigen::Quaterniond(Eigen::Matrix3d(b.axes * a.axes.transpose())));
    return {std::abs(turn.angle()) * kDegrees, std::abs(way.y()), std::hypot(way.x(), way.z())};
}

bool same_pose(const RootPose& a, const RootPose& b)
{
    const double tiny = 1e-9; // metres, and of a unit axis: below the file's floats
    return (a.head - b.head).norm() < tiny && (a.axes - b.axes).norm() < tiny;
}

std::vector<int> path_to_chain(const Rigged& rigged, const RestArc& arc)
{
    const int attach = rigged.chains[static_cast<std::size_t>(arc.chain)].attach;
    return path_to_node(rigged.character, rigged.character.joints[static_cast<std::size_t>(attach)].node);
}

// Length of the last frame: the last gap of the densest track that moves the joint. Sparse keys are not frames, so at
// most a tenth of a second and a quarter of the clip.
double frame_length(const Rigged& rigged, const Clip& clip, const RestArc& arc)
{
    const auto path = path_to_chain(rigged, arc);
    const Track* densest = nullptr;
    for (const Track& track : clip.tracks)
        if (std::find(path.begin(), path.end(), track.node) != path.end() && track.times.size() > 1 &&
            (densest == nullptr || track.times.size() > densest->times.size()))
            densest = &track;
    const double most = std::min(0.1, (clip.end - clip.start) / 4);
    if (densest == nullptr) return most;
    const auto last = densest->times.size() - 1;
    return std::min(most, static_cast<double>(densest->times[last]) - static_cast<double>(densest->times[last - 1]));
}

bool comes_back(const Rigged& rigged, const Clip& clip, const Drive& drive, const RestArc& arc, double height_m,
                const BakeOptions& options)
{
    const Shift gap = shift_between(drive.poses.front(), drive.poses.back());
    if (gap.turn_deg < options.loop_turn_deg && gap.rise < options.loop_height * height_m) return true;
    const auto frame = std::clamp(static_cast<std::size_t>(std::lround(frame_length(rigged, clip, arc) / drive.dt)),
                                  std::size_t{1}, drive.steps());
    const Shift first = shift_between(drive.poses[0], drive.poses[frame]);
    const Shift last = shift_between(drive.poses[drive.steps() - frame], drive.poses.back());
    const double reach = 1.5; // frames
    return gap.turn_deg <= std::max(options.loop_turn_deg, reach * std::max(first.turn_deg, last.turn_deg)) &&
           gap.rise <= std::max(options.loop_height * height_m, reach * std::max(first.rise, last.rise));
}

bool listed(std::string_view names, std::string_view name)
{
    const auto all = split_names(names);
    return std::find(all.begin(), all.end(), name) != all.end();
}

} // namespace

Drive sample_drive(const Rigged& rigged, const Clip& clip, const RestArc& arc, const World& world, double longest)
{
    const Character& character = rigged.character;
    const auto path = path_to_chain(rigged, arc);
    const ClipSampler sampler(character, &clip);
    Drive drive;
    drive.start = clip.start;
    drive.end = clip.end;
    const double length = clip.end - clip.start;
    const bool touched = std::any_of(path.begin(), path.end(), [&](int node) { return sampler.animates(node); });
    const auto steps = std::max(1, static_cast<int>(std::ceil(length / longest - 1e-9)));
    drive.dt = length / steps;

    RootPose pose;
    const auto at = [&](double time) {
        const Eigen::Affine3d world_from_attach = world_along(sampler, path, time);
        pose.head = world_from_attach * arc.root / world.units_per_meter;
        pose.axes =
            orthogonal_factor(world_from_attach.linear(), pose.axes); // a joint scaled to nothing keeps its axes
        pose.meters_per_bind_unit = mean_scale(world_from_attach.linear()) / arc.attach_scale / world.units_per_meter;
        return pose;
    };
    drive.poses.push_back(at(clip.start));
    for (int i = 1; i <= steps; ++i) {
        drive.poses.push_back(touched ? at(i == steps ? clip.end : clip.start + i * drive.dt) : drive.poses[0]);
        drive.moves = drive.moves || !same_pose(drive.poses[0], drive.poses.back());
    }
    return drive;
}

ClipKind clip_kind(const Rigged& rigged, const Clip& clip, const Drive& drive, const RestArc& arc, double height_m,
                   const BakeOptions& options)
{
    if (clip.end - clip.start < options.static_s || !drive.moves) return ClipKind::Static;
    const bool loops = options.loop == "all"    ? true
                       : options.loop == "none" ? false
                       : options.loop == "auto" ? comes_back(rigged, clip, drive, arc, height_m, options)
                                                : listed(options.loop, clip.name);
    if (!loops) return ClipKind::OneShot;
    const Shift gap = shift_between(drive.poses.front(), drive.poses.back());
    return gap.travel > options.loop_height * height_m || gap.turn_deg > options.loop_turn_deg
               ? ClipKind::LoopRootMotion
               : ClipKind::Loop;
}

std::vector<std::string> split_names(std::string_view names)
{
    std::vector<std::string> out;
    for (;;) {
        const std::size_t comma = names.find(',');
        out.emplace_back(names.substr(0, comma));
        if (comma == std::string_view::npos) return out;
        names.remove_prefix(comma + 1);
    }
}

// Greedy: on a mismatch, the last * takes one character more.
bool glob_match(const std::string& pattern, const std::string& name)
{
    std::size_t p = 0, n = 0, star = std::string::npos, resume = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == name[n] && pattern[p] != '*'))) {
            ++p, ++n;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = n;
        } else if (star != std::string::npos) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

} // namespace tailfix
