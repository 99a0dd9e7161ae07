#include <tailfix/motion/spring.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/kinematics.h"

namespace tailfix {

namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

// Where a link's parent is now, and what it is worth in metres.
struct LinkPlace {
    const RestLink* link;
    Eigen::Vector3d head;
    Eigen::Matrix3d axes; // world from parent, orthogonal
    double length;

    Eigen::Vector3d rest_world() const { return axes * link->rest; }
    // Into the pelvis frame, as if the parent were at rest, and back.
    Eigen::Vector3d to_pelvis(const Eigen::Vector3d& world) const
    {
        return link->pelvis_from_parent * (axes.transpose() * world);
    }
    Eigen::Vector3d from_pelvis(const Eigen::Vector3d& v) const
    {
        return axes * (link->pelvis_from_parent.transpose() * v);
    }
};

double angular_frequency(const SpringOptions& options, std::size_t link, std::size_t count)
{
    const double along = count > 1 ? static_cast<double>(link) / static_cast<double>(count - 1) : 0;
    return kTwoPi * (options.frequency_hz + along * (options.tip_frequency_hz - options.frequency_hz));
}

double angle_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b)
{
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

// Damped spring under gravity, semi-implicit Euler (step 2):
//
//     v' = v + dt (w^2 (T - p) - 2 z w v + g)
//     p' = p + dt v'
struct Particle {
    Eigen::Vector3d position, velocity;
};

Particle fall(const LinkState& state, const LinkPlace& place, double w, const SpringOptions& options, double dt)
{
    const Eigen::Vector3d target = place.head + place.length * place.rest_world();
    const Eigen::Vector3d gravity(0, -options.gravity, 0);
    const Eigen::Vector3d pull = w * w * (target - state.tip) - 2 * options.damping * w * state.velocity + gravity;
    const Eigen::Vector3d velocity = state.velocity + dt * pull;
    return {state.tip + dt * velocity, velocity};
}

// The bend that the neighbours call for (step 4). They are read as they were a step ago, so that the order in which
// links are computed does not matter.
Eigen::Quaterniond neighbours_bend(const ChainState& before, std::size_t i)
{
    const std::size_t last = before.size() - 1;
    if (i == 0) return Eigen::Quaterniond::Identity().slerp(0.5, before[1].bend);
    if (i == last) return before[last - 1].bend;
    return before[i - 1].bend.slerp(0.5, before[i + 1].bend);
}

struct Bend {
    Eigen::Quaterniond rotation; // pelvis frame
    double excess;               // radians cut off
};

Bend limit(const Eigen::Quaterniond& bend, double most)
{
    const double angle = 2 * std::acos(std::clamp(std::abs(bend.w()), 0.0, 1.0));
    if (angle <= most) return {bend, 0};
    return {Eigen::Quaterniond::Identity().slerp(most / angle, bend), angle - most};
}

// Fastest that a link may turn against its parent: what its spring gives it over its whole range, w times the limit,
// and what its neighbours ask of it, their rate times the limit. Tips are particles in the world: where the body
// dashes, the chain bends as far as it goes link by link, the part that is stiff already carries the next joint past
// its tip, and a tip was thrown from one limit to the other within a step (4300 degrees/s on a dashing raptor).
double fastest_turn(double w, double most, const SpringOptions& options)
{
    return (w + options.bend_rate) * most;
}

// The direction on the way from a to b, both unit, at most `angle` from a.
Eigen::Vector3d towards(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double angle)
{
    const double apart = angle_between(a, b);
    if (apart <= angle) return b;
    return (Eigen::Quaterniond::Identity().slerp(angle / apart, swing(a, b)) * a).normalized();
}

// Where a link's tip lay a step ago, parent frame.
Eigen::Vector3d direction_before(const RestLink& link, const LinkState& state)
{
    return (state.local * (link.neutral_rotation.conjugate() * link.neutral)).normalized();
}

// Unit direction in which the bend would grow, world; zero where it has no axis.
Eigen::Vector3d outward(const Eigen::Quaterniond& bend, const Eigen::Vector3d& direction_pelvis, const LinkPlace& place)
{
    const Eigen::Vector3d axis = std::copysign(1.0, bend.w()) * bend.vec();
    const Eigen::Vector3d tangent = axis.cross(direction_pelvis);
    const double norm = tangent.norm();
    return norm > 0 ? Eigen::Vector3d(place.from_pelvis(tangent / norm)) : Eigen::Vector3d::Zero();
}

// Takes away the speed with which a tip went too far along a direction, and no more than it has: taking all of it at
// the first touch, where the neighbours pull the link off again, makes a tail at its limit chatter by millimetres.
Eigen::Vector3d without_push(const Eigen::Vector3d& velocity, const Eigen::Vector3d& direction, double overshoot_speed)
{
    return velocity - std::clamp(velocity.dot(direction), 0.0, std::max(0.0, overshoot_speed)) * direction;
}

// What stopped a tip, and how far past it the tip would have been, metres.
struct Stops {
    Contact contact;
    Eigen::Vector3d into_limit, forward;
    double past_limit, past_plane, past_floor;
};

// Part of the overshoot that floor and front plane take away in a step; the rest goes in the steps after. With all of
// it links in contact trade a micrometre to and fro for ever.
constexpr double kGive = 0.5;

// Speed and friction of a tip on the floor (method.md 7, step 7). The floor takes away the downward speed with which
// the tip went too far and no more: all of it (v_y <- max(0, v_y)) leaves no balance with the neighbours, who lift the
// link off again, so that it chattered for ever. Friction grows with what the floor carries, to its full value at the
// tail's own weight, for the same reason: a tip that barely touches must not differ from one that barely does not.
Eigen::Vector3d on_ground(const Eigen::Vector3d& velocity, double past_floor, double contact_damping, double gravity,
                          double dt)
{
    const Eigen::Vector3d v = without_push(velocity, -Eigen::Vector3d::UnitY(), kGive * past_floor / dt);
    const double load = (v.y() - velocity.y()) / dt;
    const double pressed = load < std::abs(gravity) ? load / std::abs(gravity) : 1;
    return std::exp(-contact_damping * pressed * dt) * v;
}

// Step 7. The correction of the position is never turned into speed: fed back, it whips one joint by 95 degrees when
// the hips are swept (method.md 10).
Eigen::Vector3d constrained(const Eigen::Vector3d& velocity, const Stops& stops, const StepRules& rules, double dt)
{
    const Eigen::Vector3d& along = stops.contact.direction;
    Eigen::Vector3d v = velocity - velocity.dot(along) * along;
    v = without_push(v, stops.into_limit, stops.past_limit / dt);
    if (stops.contact.front) v = without_push(v, stops.forward, kGive * stops.past_plane / dt);
    if (stops.contact.floor) v = on_ground(v, stops.past_floor, rules.contact.damping, rules.spring.gravity, dt);
    return v;
}

// The same to the letter of method.md 7: nothing stays of what leads further from rest at the bend limit, and on the
// floor nothing of what points down.
Eigen::Vector3d constrained_by_article(const Eigen::Vector3d& velocity, const Stops& stops, const LinkPlace& place,
                                       const StepRules& rules, double dt)
{
    const Eigen::Vector3d& along = stops.contact.direction;
    Eigen::Vector3d v = velocity - velocity.dot(along) * along;
    const Eigen::Vector3d rest = place.rest_world(), back = rest - rest.dot(along) * along;
    if (stops.past_limit > 0 && back.norm() > 0) v += std::max(0.0, -v.dot(back.normalized())) * back.normalized();
    if (stops.contact.floor)
        v = std::exp(-rules.contact.damping * dt) * Eigen::Vector3d(v.x(), std::max(0.0, v.y()), v.z());
    return v;
}

// A link without length has nothing to swing: it keeps its rest direction.
LinkState rigid_link(const LinkPlace& place)
{
    LinkState out;
    out.tip = place.head;
    out.local = link_rotation(*place.link, place.link->rest);
    return out;
}

Obstacles obstacles_at(const RestArc& arc, const RootPose& root, const StepRules& rules)
{
    return {rules.floor, rules.contact.front_plane, root.head, (root.axes * arc.forward).normalized()};
}

} // namespace

ChainState rest_state(const RestArc& arc, const RootPose& root)
{
    ChainState out;
    LinkPlace place{nullptr, root.head, root.axes, 0};
    for (const RestLink& link : arc.links) {
        place.link = &link;
        place.length = link.length * root.meters_per_bind_unit;
        LinkState state = rigid_link(place);
        state.tip = place.head + place.length * place.rest_world();
        place.head = state.tip;
        place.axes = place.axes * state.local.toRotationMatrix();
        out.push_back(state);
    }
    return out;
}

ChainState step_chain(const ChainState& before, const RestArc& arc, const RootPose& root, const StepRules& rules,
                      double dt)
{
    const SpringOptions& options = rules.spring;
    const Obstacles obstacles = obstacles_at(arc, root, rules);
    const double most = std::min(options.bend_limit_deg, arc.bend_limit_deg) * kTwoPi / 360;
    const double share = 1 - std::exp(-options.bend_rate * dt);
    const std::size_t count = arc.links.size();
    const bool calm = rules.contact.rule == ContactRule::Calm;

    ChainState after;
    after.reserve(count);
    LinkPlace place{nullptr, root.head, root.axes, 0};
    for (std::size_t i = 0; i < count; ++i) {
        place.link = &arc.links[i];
        place.length = arc.links[i].length * root.meters_per_bind_unit;
        LinkState state = rigid_link(place);
        if (place.length > 0) {
            const double w = angular_frequency(options, i, count);
            const Particle particle = fall(before[i], place, w, options, dt);

            // Candidate direction and its bend away from rest (3), shared with the neighbours (4) and limited (5).
            const Eigen::Vector3d span = particle.position - place.head;
            const double reach = span.norm();
            const Eigen::Vector3d candidate = reach > 0 ? Eigen::Vector3d(span / reach) : place.rest_world();
            const Eigen::Vector3d rest_pelvis = place.link->pelvis_from_parent * place.link->rest;
            Eigen::Quaterniond bend = swing(rest_pelvis, place.to_pelvis(candidate));
            if (count > 1) bend = bend.slerp(share, neighbours_bend(before, i));
            const Bend limited = limit(bend, most);
            Eigen::Vector3d bent = limited.rotation * rest_pelvis;
            if (calm)
                bent = towards(place.link->pelvis_from_parent * direction_before(*place.link, before[i]), bent,
                               fastest_turn(w, most, options) * dt);

            const Eigen::Vector3d free = place.from_pelvis(bent).normalized();
            const double front = place.link->front * root.meters_per_bind_unit;
            const Contact contact = keep_clear({place.head, free, place.rest_world(), place.length, front}, obstacles);
            Stops stops{contact,
                        Eigen::Vector3d::Zero(),
                        obstacles.forward,
                        limited.excess * place.length,
                        place.length * (free - contact.direction).dot(obstacles.forward),
                        place.length * (contact.direction.y() - free.y())};
            if (limited.excess > 0) stops.into_limit = outward(limited.rotation, bent, place);
            state.tip = place.head + place.length * contact.direction;
            state.velocity = calm ? constrained(particle.velocity, stops, rules, dt)
                                  : constrained_by_article(particle.velocity, stops, place, rules, dt);
            state.bend = limited.rotation;
            state.bend_rad = angle_between(rest_pelvis, place.to_pelvis(contact.direction));
            state.local = link_rotation(*place.link, (place.axes.transpose() * contact.direction).normalized());
            state.on_floor = contact.floor;
        }
        place.head = state.tip;
        place.axes = place.axes * state.local.toRotationMatrix();
        after.push_back(state);
    }
    return after;
}

// Without damping the scheme is stable to w dt = 2; explicit damping adds 2 z w dt < 2.
double longest_step(const SpringOptions& options)
{
    const double w = kTwoPi * std::max(options.frequency_hz, options.tip_frequency_hz);
    return 0.5 / (w * std::max(1.0, 2 * options.damping));
}

} // namespace tailfix
