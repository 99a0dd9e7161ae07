// Section 7 of the method: the spring chain, one step and hundreds of them.
#include <optional>

#include <tailfix/motion/spring.h>

#include "article/reference.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::article;
using namespace tailfix::test;

namespace {

constexpr double kStep = 1.0 / 120;

struct Touch {
    bool floor = false, front = false;
};

struct Link {
    Vector3d tip, velocity;
    Matrix3d bend;  // pelvis frame, after coupling and limit, before contact
    Matrix3d local; // parent from link
    Touch touch;    // in this step
    bool limited;   // in this step
};

using Links = std::vector<Link>;

struct Motion {
    RestArc arc;
    std::optional<double> floor;
    bool front_plane = false;
};

double angle_of(const Matrix3d& m)
{
    return rotation_vector(m).norm();
}

// The horizontal direction of a link that lies on the floor, turned about the vertical as little as keeps the tip
// behind the plane: its angle from straight ahead is at least the one whose cosine is `most`.
Vector3d kept_behind(const Vector3d& t, const Vector3d& forward, double most)
{
    const double angle = std::atan2(Vector3d::UnitY().dot(forward.cross(t)), forward.dot(t));
    const double least = std::acos(clamp(most, -1, 1));
    if (std::abs(angle) >= least) return t;
    return turn(Vector3d(0, std::copysign(least, angle), 0)) * forward;
}

// Section 7, step 6. The front plane, and then the floor.
Vector3d clear(const Vector3d& head, Vector3d d, double length, const Motion& motion, const RootPose& root,
               Touch& touch)
{
    const Vector3d forward = root.axes * motion.arc.forward;
    const double room = -(head - root.head).dot(forward) / length;
    touch.front = motion.front_plane && d.dot(forward) > room;
    if (touch.front) {
        const Vector3d along = (d - d.dot(forward) * forward).normalized();
        const double u = clamp(room, -1, 1);
        d = u * forward + std::sqrt(1 - u * u) * along;
    }
    touch.floor = motion.floor && head.y() + length * d.y() < *motion.floor;
    if (touch.floor) {
        const double u = clamp((*motion.floor - head.y()) / length, -1, 1), rho = std::sqrt(1 - u * u);
        Vector3d t = Vector3d(d.x(), 0, d.z()).normalized();
        const Vector3d flat(forward.x(), 0, forward.z());
        if (motion.front_plane && rho > 0)
            t = kept_behind(t, flat.normalized(), (room - u * forward.y()) / (rho * flat.norm()));
        d = rho * t + u * Vector3d::UnitY();
    }
    return d;
}

// From 0.9 Hz at the root to half of it at the tip.
double angular_frequency(int link, int links)
{
    return 2 * std::numbers::pi * 0.9 * (1 - (links > 1 ? 0.5 * link / (links - 1) : 0));
}

// Section 7 by the letter.
Links step(const Links& before, const Motion& motion, const RootPose& root, double dt)
{
    const int n = static_cast<int>(before.size());
    Links after = before;
    Vector3d head = root.head;
    Matrix3d parent = root.axes;
    for (int i = 0; i < n; ++i) {
        const RestLink& link = motion.arc.links[at(i)];
        const Matrix3d& a = link.pelvis_from_parent;
        const double length = link.length * root.meters_per_bind_unit;
        Link& now = after[at(i)];

        // 1, 2: towards the target
        const Vector3d target = head + length * (parent * link.rest);
        const double w = angular_frequency(i, n);
        const Vector3d pull = w * w * (target - now.tip) - 2 * 0.65 * w * now.velocity - Vector3d(0, 1, 0);
        now.velocity += pull * dt;
        now.tip += now.velocity * dt;

        // 3: bend away from rest
        Vector3d d = parent.transpose() * (now.tip - head).normalized();
        Matrix3d bend = a * swing(link.rest, d) * a.transpose();

        // 4: coupling
        const Matrix3d one = Matrix3d::Identity();
        if (n > 1) {
            const Matrix3d mean = i == 0       ? slerp(before[1].bend, one, 0.5)
                                  : i == n - 1 ? before[at(n - 2)].bend
                                               : slerp(before[at(i - 1)].bend, before[at(i + 1)].bend, 0.5);
            bend = slerp(bend, mean, 1 - std::exp(-12 * dt));
        }
        // 5: limit
        now.limited = angle_of(bend) > 30 * kDegree;
        if (now.limited) bend = slerp(one, bend, 30 * kDegree / angle_of(bend));
        now.bend = bend;
        d = parent * (a.transpose() * bend * a * link.rest);

        // 6: contact
        d = clear(head, d, length, motion, root, now.touch);
        now.tip = head + length * d;

        // 7: velocity
        Vector3d& v = now.velocity;
        v -= v.dot(d) * d;
        if (now.limited) {
            const Vector3d rest = parent * link.rest;
            const Vector3d outward = -(rest - rest.dot(d) * d).normalized();
            v -= std::max(0.0, v.dot(outward)) * outward;
        }
        if (now.touch.floor) v = std::exp(-8 * dt) * Vector3d(v.x(), std::max(0.0, v.y()), v.z());

        // 8: local rotation
        now.local = swing(link.neutral, parent.transpose() * d) * link.neutral_rotation.toRotationMatrix();
        parent = parent * now.local;
        head = now.tip;
    }
    return after;
}

Links at_rest(const RestArc& arc, const RootPose& root)
{
    Links links;
    Vector3d head = root.head;
    Matrix3d parent = root.axes;
    for (const auto& link : arc.links) {
        const Matrix3d local = swing(link.neutral, link.rest) * link.neutral_rotation.toRotationMatrix();
        head += link.length * root.meters_per_bind_unit * (parent * link.rest);
        links.push_back({head, Vector3d::Zero(), Matrix3d::Identity(), local, {}, false});
        parent = parent * local;
    }
    return links;
}

struct Difference {
    double tip = 0, speed = 0, bend = 0, local = 0;
    double worst() const { return std::max({tip, speed, bend, local}); }
};

Difference difference(const ChainState& found, const Links& expected)
{
    Difference out;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        out.tip = std::max(out.tip, (found[i].tip - expected[i].tip).norm());
        out.speed = std::max(out.speed, (found[i].velocity - expected[i].velocity).norm());
        out.bend = std::max(out.bend, (found[i].bend.toRotationMatrix() - expected[i].bend).cwiseAbs().maxCoeff());
        out.local = std::max(out.local, (found[i].local.toRotationMatrix() - expected[i].local).cwiseAbs().maxCoeff());
    }
    return out;
}

StepRules rules_of(const Motion& motion)
{
    StepRules rules; // the article's constants are the defaults
    rules.contact.rule = ContactRule::Article;
    rules.contact.front_plane = motion.front_plane;
    rules.floor = motion.floor;
    return rules;
}

RestArc arc_of(int links, const Quaterniond& hips_frame = Quaterniond::Identity())
{
    RigOptions options;
    options.links = links;
    options.link_length = 0.8 / links;
    options.tail_direction = Vector3d(0.3, -1, -0.5);
    options.tail_curl_deg = 9;
    options.hips_frame = hips_frame;
    return shape_rest_arc(make_rig(options).rigged, 0, Frame{}, 0, 50);
}

// Pelvis at time t: sways, turns, bobs and travels; `size` 1 is a brisk walk, -1 the same backward.
RootPose root_at(double t, double size, const Quaterniond& hips_frame = Quaterniond::Identity())
{
    const double phase = 2 * std::numbers::pi * t / 1.1;
    const Matrix3d axes =
        turn(size * Vector3d(0.08 * std::sin(2 * phase), 0.3 * std::cos(phase), 0.1 * std::sin(phase)));
    RootPose root;
    root.head = Vector3d(0.05 * size * std::sin(phase), 1 + 0.03 * size * std::cos(2 * phase), 0.8 * size * t);
    root.axes = axes * hips_frame.toRotationMatrix();
    return root;
}

struct Run {
    Difference worst;
    int limited = 0, floor = 0, front = 0; // links, in all steps
};

void count(Run& run, const Links& links)
{
    for (const auto& link : links) {
        run.limited += link.limited ? 1 : 0;
        run.floor += link.touch.floor ? 1 : 0;
        run.front += link.touch.front ? 1 : 0;
    }
}

void take_worse(Difference& worst, const Difference& now)
{
    worst = {std::max(worst.tip, now.tip), std::max(worst.speed, now.speed), std::max(worst.bend, now.bend),
             std::max(worst.local, now.local)};
}

// Both swing the same way for 500 steps, each from its own state; the farthest that they ever are apart.
Run run_apart(const Motion& motion, double size, const Quaterniond& hips_frame)
{
    ChainState found = rest_state(motion.arc, root_at(0, size, hips_frame));
    Links expected = at_rest(motion.arc, root_at(0, size, hips_frame));
    Run run;
    run.worst = difference(found, expected);
    for (int i = 1; i <= 500; ++i) {
        const RootPose root = root_at(i * kStep, size, hips_frame);
        found = step_chain(found, motion.arc, root, rules_of(motion), kStep);
        expected = step(expected, motion, root, kStep);
        take_worse(run.worst, difference(found, expected));
        count(run, expected);
    }
    return run;
}

// The library swings, and each of its 500 steps is taken once more from where it began.
Run run_step_by_step(const Motion& motion, double size)
{
    ChainState state = rest_state(motion.arc, root_at(0, size));
    Run run;
    for (int i = 1; i <= 500; ++i) {
        Links before;
        for (const auto& link : state)
            before.push_back(
                {link.tip, link.velocity, link.bend.toRotationMatrix(), link.local.toRotationMatrix(), {}, false});
        const RootPose root = root_at(i * kStep, size);
        state = step_chain(state, motion.arc, root, rules_of(motion), kStep);
        const Links expected = step(before, motion, root, kStep);
        count(run, expected);
        take_worse(run.worst, difference(state, expected));
    }
    return run;
}

} // namespace

TEST_CASE("article 7: 500 steps of free motion", "[article]")
{
    const int links = GENERATE(1, 2, 3, 4, 8);
    const Quaterniond hips_frame = GENERATE(Quaterniond::Identity(), about({1, 2, -1}, 73));
    const double size = GENERATE(0.3, 1.0, 3.0);
    const Run run = run_apart({arc_of(links, hips_frame), {}, false}, size, hips_frame);
    CHECK(run.worst.tip < kTolerance);
    CHECK(run.worst.speed < kTolerance);
    CHECK(run.worst.bend < kTolerance);
    CHECK(run.worst.local < kTolerance);
    if (size == 3 && links != 3) CHECK(run.limited > 50); // the limit and its rule for speed take part
}

TEST_CASE("article 7: every step of a swing that meets the limit, the front plane and the floor", "[article]")
{
    const bool front = GENERATE(false, true), floor = GENERATE(false, true);
    int limited = 0, on_floor = 0, at_front = 0;
    for (const int links : {1, 2, 4, 8})
        for (const double size : {0.3, 1.0, 3.0, -1.0, -2.0, -3.0}) {
            Motion motion{arc_of(links), {}, front};
            if (floor) motion.floor = size > 0 ? 0.65 : 0.4;
            const Run run = run_step_by_step(motion, size);
            CHECK(run.worst.tip < kTolerance);
            CHECK(run.worst.speed < kTolerance);
            CHECK(run.worst.bend < kTolerance);
            CHECK(run.worst.local < kTolerance);
            limited += run.limited;
            on_floor += run.floor;
            at_front += run.front;
        }
    CHECK(limited > 500);
    CHECK((on_floor > 500) == floor);
    CHECK((at_front > 500) == front);
}

TEST_CASE("article 7: a hard landing loses its downward speed, and the rest by 8 per second", "[article]")
{
    const int links = GENERATE(1, 2, 4);
    Motion motion{arc_of(links), {}, false};
    const RootPose root = root_at(0, 0);
    Links before = at_rest(motion.arc, root);
    ChainState state = rest_state(motion.arc, root);
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i].velocity = before[i].velocity = Vector3d(0.3, -0.4, 0.2 + 0.1 * static_cast<double>(i));
    motion.floor = before.back().tip.y() + 0.05;
    const Links expected = step(before, motion, root, kStep);
    REQUIRE(expected.back().touch.floor);
    state = step_chain(state, motion.arc, root, rules_of(motion), kStep);
    CHECK(difference(state, expected).worst() < kTolerance);
    CHECK(state.back().velocity.y() == 0);
}
