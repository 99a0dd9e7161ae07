#include "motion/passes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tailfix {

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kHold = 0.5; // seconds: how often a held pose is looked at for rest

double angle_deg(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b)
{
    const Eigen::Quaterniond turn = a.conjugate() * b;
    return 2 * std::atan2(turn.vec().norm(), std::abs(turn.w())) * kDegrees;
}

// How far two states of one chain differ at the same root pose.
struct Difference {
    double deg = 0, speed_deg_s = 0;

    bool within(const BakeOptions& options) const
    {
        return deg <= options.settled_deg && speed_deg_s <= options.settled_speed_deg_s;
    }
};

double speed_deg_s(const Eigen::Vector3d& velocity, double length)
{
    return length > 0 ? velocity.norm() / length * kDegrees : 0;
}

Difference difference(const ChainState& a, const ChainState& b, const RestArc& arc, const RootPose& root)
{
    Difference out;
    for (std::size_t i = 0; i < a.size(); ++i) {
        out.deg = std::max(out.deg, angle_deg(a[i].local, b[i].local));
        out.speed_deg_s = std::max(out.speed_deg_s, speed_deg_s(a[i].velocity - b[i].velocity,
                                                                arc.links[i].length * root.meters_per_bind_unit));
    }
    return out;
}

// Takes a chain along from one root pose to another as if both were one body: how root motion, a net turn and a missing
// last frame go from pass to pass without a kick.
ChainState carried(ChainState state, const RootPose& from, const RootPose& to)
{
    const Eigen::Matrix3d turn = to.axes * from.axes.transpose();
    const double grow = to.meters_per_bind_unit / from.meters_per_bind_unit;
    for (LinkState& link : state) {
        link.tip = to.head + grow * (turn * (link.tip - from.head));
        link.velocity = turn * link.velocity;
    }
    return state;
}

void record(const ChainState& state, Recording& out)
{
    bool touches = false;
    for (const LinkState& link : state) {
        out.local.push_back(link.local);
        out.max_bend_rad = std::max(out.max_bend_rad, link.bend_rad);
        touches = touches || link.on_floor;
    }
    out.on_floor.push_back(touches);
}

struct Pass {
    Recording recording;
    ChainState end;
};

Pass run_pass(const ChainState& begin, const Drive& drive, const RestArc& arc, const StepRules& rules)
{
    Pass pass;
    pass.recording.links = begin.size();
    pass.recording.local.reserve(drive.poses.size() * begin.size());
    pass.end = begin;
    record(pass.end, pass.recording);
    for (std::size_t i = 1; i <= drive.steps(); ++i) {
        pass.end = step_chain(pass.end, arc, drive.poses[i], rules, drive.dt);
        record(pass.end, pass.recording);
    }
    return pass;
}

struct Settled {
    ChainState state;
    int holds = 0;
    bool converged = false;
};

// Holds the first pose until the tail is at rest.
Settled settle(const Drive& drive, const RestArc& arc, const StepRules& rules, const BakeOptions& options, double dt)
{
    const RootPose& root = drive.poses[0];
    Settled out{rest_state(arc, root)};
    const int steps = std::max(1, static_cast<int>(std::ceil(kHold / dt)));
    const int most = std::max(1, static_cast<int>(options.warmup_max_s / kHold));
    while (!out.converged && out.holds < most) {
        const ChainState before = out.state;
        for (int i = 0; i < steps; ++i) out.state = step_chain(out.state, arc, root, rules, dt);
        ++out.holds;
        // At rest a tip's velocity need not be zero: it is what spring and gravity give, and the neighbours take away.
        out.converged = difference(before, out.state, arc, root).within(options);
    }
    return out;
}

double smoothstep(double x)
{
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// Over the last third of a pass goes over to the pass before. That one ends where this begins, with the same speed, so
// that the loop closes in value and in speed even where contact lets no pass repeat the one before.
void blend_seam(Recording& last, const Recording& before)
{
    const std::size_t times = last.times();
    for (std::size_t t = 0; t < times; ++t) {
        const double place = static_cast<double>(t) / static_cast<double>(times - 1);
        const double share = smoothstep(3 * place - 2);
        if (share <= 0) continue;
        for (std::size_t i = 0; i < last.links; ++i) {
            Eigen::Quaterniond& q = last.local[t * last.links + i];
            q = q.slerp(share, before.at(t, i));
        }
    }
    for (std::size_t i = 0; i < last.links; ++i) last.local[(times - 1) * last.links + i] = last.at(0, i);
}

Performance perform_loop(const Drive& drive, const RestArc& arc, const StepRules& rules, const BakeOptions& options)
{
    const RootPose &first = drive.poses.front(), &last = drive.poses.back();
    const double length = drive.end - drive.start;
    const int most = std::max(1, static_cast<int>(options.warmup_max_s / length));
    Performance out;
    Recording before;
    ChainState begin = rest_state(arc, first);
    for (int pass = 0;; ++pass) {
        Pass now = run_pass(begin, drive, arc, rules);
        ChainState next = carried(std::move(now.end), last, first);
        const Difference seam = difference(begin, next, arc, first);
        out.warmup_passes = pass;
        out.seam_deg = seam.deg;
        out.seam_speed_deg_s = seam.speed_deg_s;
        out.converged = seam.within(options);
        out.recording = std::move(now.recording);
        // A cold start has no pass before it that ends where it begins, so it is never the one that is kept.
        if (pass > 0 && (out.converged || pass >= most)) break;
        before = std::move(out.recording);
        begin = std::move(next);
    }
    blend_seam(out.recording, before);
    return out;
}

} // namespace

Performance perform(const Drive& drive, ClipKind kind, const RestArc& arc, const StepRules& rules,
                    const BakeOptions& options)
{
    if (kind == ClipKind::Loop || kind == ClipKind::LoopRootMotion) return perform_loop(drive, arc, rules, options);
    const double dt = std::min(options.step_s, longest_step(rules.spring));
    Settled settled = settle(drive, arc, rules, options, dt);
    Performance out;
    out.warmup_passes = settled.holds;
    out.converged = settled.converged;
    if (kind == ClipKind::Static) {
        out.recording.links = settled.state.size();
        record(settled.state, out.recording);
    } else {
        out.recording = run_pass(settled.state, drive, arc, rules).recording;
    }
    return out;
}

} // namespace tailfix
