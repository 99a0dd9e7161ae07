#include "motion/passes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "smoothstep.h"

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

// Over the last third of a pass goes over to the pass before. That one ends where this begins, with the same speed, so
// that the loop closes in value and in speed even where contact lets no pass repeat the one before.
void blend_seam(Recording& last, const Recording& before)
{
    const std::size_t times = last.times();
    for (std::size_t t = 0; t < times; ++t) {
        const double place = static_cast<double>(t) / static_cast<double>(times - 1);
        const double share = smoothstep(2.0 / 3, 1, place);
        if (share <= 0) continue;
        for (std::size_t i = 0; i < last.links; ++i) {
            Eigen::Quaterniond& q = last.local[t * last.links + i];
            q = q.slerp(share, before.at(t, i));
        }
    }
    for (std::size_t i = 0; i < last.links; ++i) last.local[(times - 1) * last.links + i] = last.at(0, i);
}

// Angular velocity that carries one grid time of a link to another, in the link's frame, radians per second.
Eigen::Vector3d turn_rate(const Recording& recording, std::size_t from, std::size_t to, std::size_t link, double dt)
{
    const Eigen::Quaterniond turn = recording.at(from, link).conjugate() * recording.at(to, link);
    const double sine = turn.vec().norm();
    if (sine < 1e-15) return Eigen::Vector3d::Zero();
    return 2 * std::atan2(sine, std::abs(turn.w())) / dt * std::copysign(1.0, turn.w()) / sine * turn.vec();
}

// The jump of a link's angular velocity at the seam: what its speed changes there, less what it changes in the steps
// beside it anyway (the smaller of the two where they agree in sign, and never a kick of its own), and less what it
// changes at every key of a clip, whose own motion is straight from key to key.
Eigen::Vector3d seam_jump(const Recording& recording, std::size_t link, double dt)
{
    const double kick = 30 / kDegrees;    // within a step: 3600 degrees/s^2, several times what a spring gives
    const double at_keys = 20 / kDegrees; // as between keys of a walk at 30 Hz
    const std::size_t end = recording.times() - 1;
    const Eigen::Vector3d before = turn_rate(recording, end - 1, end, link, dt),
                          after = turn_rate(recording, 0, 1, link, dt);
    const Eigen::Vector3d left = before - turn_rate(recording, end - 2, end - 1, link, dt),
                          right = turn_rate(recording, 1, 2, link, dt) - after;
    Eigen::Vector3d usual = Eigen::Vector3d::Zero();
    for (int c = 0; c < 3; ++c)
        if (left[c] * right[c] > 0) usual[c] = std::copysign(std::min(std::abs(left[c]), std::abs(right[c])), left[c]);
    if (usual.norm() > kick) usual *= kick / usual.norm();
    const Eigen::Vector3d jump = after - before - usual;
    const double size = jump.norm();
    return size > at_keys ? Eigen::Vector3d((1 - at_keys / size) * jump) : Eigen::Vector3d::Zero();
}

// Makes speed continuous over the seam. A clip's own speed often jumps there (a loop cut out of a longer motion, a last
// frame left out), and the tail is kicked by it once per pass. With J the jump, each link is turned by -J b(t), where
// b has a jump of 1 in its slope at the seam and is smooth elsewhere:
//
//     b(t) = -d/6 (1 - |t|/d)^3,   b'(0+) = 1/2, b'(0-) = -1/2
//
// At most about J d/6 is added: 2 degrees for a jump of 240 degrees/s. A motion that is smooth stays as it is.
void round_seam(Recording& recording, double dt)
{
    const std::size_t end = recording.times() - 1;
    if (end < 4) return;
    const double reach =
        std::max(2 * dt, std::min(0.05, static_cast<double>(end) * dt / 4)); // d: three frames at 60 Hz
    const auto bump = [&](double t) { return reach / 6 * std::pow(std::max(0.0, 1 - t / reach), 3); };
    const double step_slope = 2 * (bump(0) - bump(dt)) / dt; // the jump that b shows between steps, a little under 1
    std::vector<Eigen::Vector3d> jumps;
    for (std::size_t i = 0; i < recording.links; ++i) jumps.push_back(seam_jump(recording, i, dt) / step_slope);
    for (std::size_t t = 0; 2 * t < end && static_cast<double>(t) * dt < reach; ++t)
        for (std::size_t i = 0; i < recording.links; ++i) {
            if (jumps[i].isZero(0)) continue;
            const double angle = jumps[i].norm() * bump(static_cast<double>(t) * dt);
            const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, jumps[i].normalized()));
            for (const std::size_t time : {t, end - t}) {
                Eigen::Quaterniond& q = recording.local[time * recording.links + i];
                q = (q * turn).normalized();
            }
        }
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
    round_seam(out.recording, drive.dt);
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
