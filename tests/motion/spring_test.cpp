#include <algorithm>
#include <cmath>
#include <numbers>

#include <tailfix/motion/spring.h>

#include "motion/kinematics.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;

// One link of a metre hanging straight down from a joint at the origin.
RestArc pendulum(int links = 1, double length = 1)
{
    RestArc arc;
    arc.links.resize(static_cast<std::size_t>(links));
    for (auto& link : arc.links) link.length = length;
    return arc;
}

StepRules free_rules()
{
    StepRules rules;
    rules.spring.gravity = 0;
    rules.spring.bend_limit_deg = 180;
    rules.contact.front_plane = false;
    return rules;
}

Eigen::Quaterniond bend_about_z(double degrees)
{
    return about(Vector3d::UnitZ(), degrees);
}

// Sideways offset of a pendulum's tip, let go at 1/1000 of its length, after t seconds.
double let_go(double t, int steps)
{
    const RestArc arc = pendulum();
    ChainState state = rest_state(arc, {});
    state[0].tip = Vector3d(1e-3, -std::sqrt(1 - 1e-6), 0);
    for (int i = 0; i < steps; ++i) state = step_chain(state, arc, {}, free_rules(), t / steps);
    return state[0].tip.x();
}

// Farthest that a tip moves within a step.
double movement(const ChainState& a, const ChainState& b)
{
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, (a[i].tip - b[i].tip).norm());
    return out;
}

void check_lengths(const ChainState& state, const RestArc& arc, const RootPose& root)
{
    Vector3d head = root.head;
    for (std::size_t i = 0; i < state.size(); ++i) {
        REQUIRE(state[i].tip.allFinite());
        REQUIRE(state[i].velocity.allFinite());
        REQUIRE(state[i].local.coeffs().allFinite());
        REQUIRE((state[i].tip - head).norm() == Approx(arc.links[i].length * root.meters_per_bind_unit).margin(1e-12));
        head = state[i].tip;
    }
}

} // namespace

TEST_CASE("a small swing follows the damped oscillator, to first order in the step", "[spring]")
{
    // x'' = -w^2 x - 2 z w x', x(0) = x0, x'(0) = 0
    const double w = 2 * std::numbers::pi * 0.9, z = 0.65, t = 0.4;
    const double wd = w * std::sqrt(1 - z * z);
    const double exact = 1e-3 * std::exp(-z * w * t) * (std::cos(wd * t) + z * w / wd * std::sin(wd * t));
    const double coarse = std::abs(let_go(t, 100) - exact), fine = std::abs(let_go(t, 1000) - exact);
    CHECK(coarse / std::abs(exact) < 0.05);
    CHECK(coarse / fine == Approx(10).epsilon(0.05));
}

TEST_CASE("neighbours share a bend by 1 - exp(-k dt)", "[spring]")
{
    const double rate = GENERATE(60.0, 30.0);
    const RestArc arc = pendulum(3);
    StepRules rules = free_rules();
    rules.spring.frequency_hz = rules.spring.tip_frequency_hz = 0.01; // no pull to speed of within a step
    ChainState state = rest_state(arc, {});
    state[0].bend = bend_about_z(4);
    state[2].bend = bend_about_z(8);
    const ChainState after = step_chain(state, arc, {}, rules, 1 / rate);
    // The middle link is straight; its neighbours' mean is 6 degrees. The root takes half of the middle's bend: none.
    const double share = after[1].bend.angularDistance(Eigen::Quaterniond::Identity()) * kDegrees / 6;
    CHECK(share == Approx(rate == 60 ? 0.181 : 0.330).margin(5e-4));
    CHECK(after[0].bend.angularDistance(Eigen::Quaterniond::Identity()) < 1e-9);
}

TEST_CASE("the root's support halves what its neighbour asks of it, and the tip takes all", "[spring]")
{
    const RestArc arc = pendulum(2);
    StepRules rules = free_rules();
    rules.spring.frequency_hz = rules.spring.tip_frequency_hz = 0.01;
    rules.spring.bend_rate = 1e6; // all of it in one step
    ChainState state = rest_state(arc, {});
    state[0].bend = bend_about_z(10);
    state[1].bend = bend_about_z(20);
    const ChainState after = step_chain(state, arc, {}, rules, 1.0 / 120);
    CHECK(after[0].bend.angularDistance(bend_about_z(10)) < 1e-9);
    CHECK(after[1].bend.angularDistance(bend_about_z(10)) < 1e-9);
}

TEST_CASE("no bend passes the limit, and speed into it is gone", "[spring]")
{
    const RestArc arc = pendulum();
    StepRules rules = free_rules();
    rules.spring.bend_limit_deg = 30;
    ChainState state = rest_state(arc, {});
    state[0].tip = Vector3d(std::sin(30 / kDegrees), -std::cos(30 / kDegrees), 0);
    state[0].local = link_rotation(arc.links[0], state[0].tip);
    state[0].velocity = Vector3d(3, 1, 1);
    const LinkState after = step_chain(state, arc, {}, rules, 1.0 / 120)[0];
    CHECK(after.bend_rad * kDegrees == Approx(30).margin(1e-9));
    const Vector3d outward(std::cos(30 / kDegrees), std::sin(30 / kDegrees), 0);
    CHECK(after.velocity.dot(outward) < 1e-2); // the limit is met a little beside the x-y plane
    CHECK(after.velocity.dot(after.tip) == Approx(0).margin(1e-12));
    CHECK(after.velocity.z() > 0.5); // along the limit it keeps its speed
}

TEST_CASE("a tail at rest stays there", "[spring]")
{
    const Rig rig = make_rig();
    const RestArc arc = article_arc(rig);
    StepRules rules;
    RootPose root;
    root.head = {0, 1, 0};
    ChainState state = rest_state(arc, root);
    rules.spring.gravity = 0;
    for (int i = 0; i < 1000; ++i) state = step_chain(state, arc, root, rules, 1.0 / 120);
    const ChainState rest = rest_state(arc, root);
    for (std::size_t i = 0; i < state.size(); ++i) CHECK((state[i].tip - rest[i].tip).norm() < 1e-12);
}

TEST_CASE("nothing puts energy into a tail on a body that stands", "[spring]")
{
    const double floor = GENERATE(-10.0, 0.7);
    const double limit = GENERATE(3.0, 15.0, 30.0); // at the lower two gravity keeps links at their limit
    const Rig rig = make_rig();
    const RestArc arc = article_arc(rig);
    StepRules rules;
    rules.floor = floor;
    rules.spring.bend_limit_deg = limit;
    RootPose root;
    root.head = {0, 1, 0};
    ChainState state = rest_state(arc, root);
    for (int i = 0; i < 2400; ++i) state = step_chain(state, arc, root, rules, 1.0 / 120);
    for (int i = 0; i < 240; ++i) { // neither creeping nor chattering
        const ChainState next = step_chain(state, arc, root, rules, 1.0 / 120);
        REQUIRE(movement(state, next) < 1e-9);
        state = next;
    }
}

// Links that lie, links that stand on the floor and links that barely touch it.
TEST_CASE("a tail on the floor comes to rest exactly, wherever the hips are", "[spring][long]")
{
    RigOptions options;
    options.links = 8;
    options.link_length = 0.13;
    options.tail_direction = Vector3d(0.3, -0.6, -1);
    const Rig rig = make_rig(options);
    const RestArc arc = article_arc(rig);
    StepRules rules;
    rules.floor = 0.0;
    rules.spring.bend_limit_deg = GENERATE(10.0, 15.0, 30.0);
    RootPose root;
    root.axes = about(Vector3d::UnitX(), GENERATE(0.0, -25.0, -50.0)).toRotationMatrix();
    for (double height = 0.05; height < 1; height += 0.05) {
        INFO("hips at " << height);
        root.head = {0, height, 0};
        ChainState state = rest_state(arc, root);
        for (int i = 0; i < 5400; ++i) state = step_chain(state, arc, root, rules, 1.0 / 120);
        for (int i = 0; i < 60; ++i) {
            const ChainState next = step_chain(state, arc, root, rules, 1.0 / 120);
            REQUIRE(movement(state, next) < 1e-9);
            state = next;
        }
    }
}

TEST_CASE("a tail curled over the back rests there without a fight with the front plane", "[spring]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0, 1, 0.2);
    options.tail_curl_deg = 35;
    const Rig rig = make_rig(options);
    const RestArc arc = shape_rest_arc(rig.rigged, 0, rig.roles.frame, 1, 0);
    RootPose root;
    root.head = {0, 1, 0};
    ChainState state = rest_state(arc, root);
    for (int i = 0; i < 2400; ++i) state = step_chain(state, arc, root, {}, 1.0 / 120);
    CHECK(movement(state, step_chain(state, arc, root, {}, 1.0 / 120)) < 1e-9);
    for (const LinkState& link : state) CHECK(link.bend_rad * kDegrees < 20);
}

TEST_CASE("hips swept harder than any clip, and teleports, leave the chain whole", "[spring]")
{
    RigOptions options;
    options.links = GENERATE(1, 2, 3, 4, 5, 6, 7, 8);
    const Rig rig = make_rig(options);
    const RestArc arc = article_arc(rig);
    StepRules rules;
    rules.contact.front_plane = false; // contact outranks the limit
    RootPose root;
    root.head = {0, 1, 0};
    ChainState state = rest_state(arc, root);
    const double dt = 1.0 / 120;
    double worst = 0;
    for (int i = 0; i < 480; ++i) {
        const double t = i * dt;
        // Half a metre in two thirds of a second and back, for two seconds; then a jump of ten metres.
        root.head.x() = t < 2 ? 0.25 * std::sin(2 * std::numbers::pi * t / (4.0 / 3)) : 10;
        state = step_chain(state, arc, root, rules, dt);
        check_lengths(state, arc, root);
        for (const LinkState& link : state) worst = std::max(worst, link.bend_rad * kDegrees);
    }
    CHECK(worst <= 30 + 1e-6);
    for (std::size_t i = 1; i < state.size(); ++i)
        CHECK(std::abs(state[i].bend_rad - state[i - 1].bend_rad) * kDegrees < 30);
}

// A light fox at a gallop: bursts of 5 m/s within a chain of short links, and a body that drops and turns.
TEST_CASE("no link turns faster against its parent than its spring and its neighbours can make it", "[spring]")
{
    RigOptions options;
    options.links = GENERATE(1, 3, 8);
    options.link_length = GENERATE(0.02, 0.2, 1.0);
    const Rig rig = make_rig(options);
    const RestArc arc = article_arc(rig);
    StepRules rules;
    rules.contact.front_plane = false;
    RootPose root;
    root.head = {0, 1, 0};
    ChainState state = rest_state(arc, root);
    const double dt = 1.0 / 120;
    const double fastest = (2 * std::numbers::pi * rules.spring.frequency_hz + rules.spring.bend_rate) * 30;
    double worst = 0;
    for (int i = 0; i < 360; ++i) {
        const double t = i * dt;
        root.head = t < 2 ? Vector3d(0, 1 + std::abs(std::sin(8 * t)), 0.6 * std::sin(9 * t)) : Vector3d(9, 3, -4);
        root.axes = about(Vector3d::UnitX(), i > 300 ? 170 : 50 * std::sin(12 * t)).toRotationMatrix();
        const ChainState next = step_chain(state, arc, root, rules, dt);
        for (std::size_t l = 0; l < next.size(); ++l) {
            // Where the tip lies, parent frame: the rotation also turns about the link as it swings from its bind pose.
            const RestLink& link = arc.links[l];
            const Vector3d along = link.neutral_rotation.conjugate() * link.neutral;
            const Vector3d was = state[l].local * along, is = next[l].local * along;
            worst = std::max(worst, std::atan2(was.cross(is).norm(), was.dot(is)) * kDegrees / dt);
        }
        state = next;
    }
    CHECK(worst <= fastest * (1 + 1e-6));
    CHECK(worst > 50); // it does move
}

TEST_CASE("a link without length, and links of very different length, do no harm", "[spring]")
{
    RestArc arc = pendulum(4, 0.3);
    arc.links[1].length = 0;
    arc.links[2].length = 1e-4;
    arc.links[3].length = 3;
    RootPose root;
    ChainState state = rest_state(arc, root);
    for (int i = 0; i < 600; ++i) {
        root.head.x() = 0.3 * std::sin(0.1 * i);
        state = step_chain(state, arc, root, {}, 1.0 / 120);
        check_lengths(state, arc, root);
    }
}

TEST_CASE("extreme options stay finite at the step they allow", "[spring]")
{
    StepRules rules;
    rules.spring.frequency_hz = GENERATE(0.01, 20.0);
    rules.spring.tip_frequency_hz = GENERATE(0.01, 20.0);
    rules.spring.damping = GENERATE(0.0, 5.0);
    rules.spring.gravity = 100;
    const RestArc arc = pendulum(5, 0.2);
    const double dt = std::min(1.0 / 120, longest_step(rules.spring));
    RootPose root;
    ChainState state = rest_state(arc, root);
    for (double t = 0; t < 1; t += dt) {
        root.head = Vector3d(std::sin(9 * t), std::cos(7 * t), 0);
        state = step_chain(state, arc, root, rules, dt);
        check_lengths(state, arc, root);
        for (const LinkState& link : state) REQUIRE(link.velocity.norm() < 100);
    }
}

TEST_CASE("contact outranks the bend limit, and the tip lies at the floor", "[spring]")
{
    const Rig rig = make_rig();
    const RestArc arc = article_arc(rig);
    StepRules rules;
    rules.floor = 0.025;
    RootPose root;
    root.head = {0, 1, 0};
    ChainState state = rest_state(arc, root);
    for (int i = 0; i < 600; ++i) {
        root.head.y() = std::max(0.1, 1 - 0.01 * i);
        state = step_chain(state, arc, root, rules, 1.0 / 120);
        check_lengths(state, arc, root);
        for (const LinkState& link : state) REQUIRE(link.tip.y() > 0.025 - 1e-12);
    }
    CHECK(std::any_of(state.begin(), state.end(), [](const LinkState& link) { return link.on_floor; }));
    for (int i = 0; i < 600; ++i) { // and lets go when the hips rise
        root.head.y() = std::min(1.0, 0.1 + 0.01 * i);
        state = step_chain(state, arc, root, rules, 1.0 / 120);
    }
    for (const LinkState& link : state) CHECK_FALSE(link.on_floor);
}
