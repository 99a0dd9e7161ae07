// One step of a chain of damped springs: each link's tip is drawn to its rest direction, and drags behind the body.
//
// Source: method.md 7 (the article's solver, after its update for the mouse). Particles live in world space, so that
// turning and speeding up of the body make the tail lag and swing by themselves. Physics in metres and seconds. What
// each link does is computed in its parent's frame without scale, and compared with its neighbours in the pelvis frame
// (rest_arc.h), so that mirrored and scaled characters move alike. Beyond method.md 7: no link turns faster against its
// parent than its spring and its neighbours can make it (before contact), and the floor stops a tip by degrees, so that
// dashes do not whip the tip and a tail on the floor comes to rest exactly. ContactRule::Article leaves both out.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/motion/contact.h>
#include <tailfix/motion/rest_arc.h>
#include <tailfix/options.h>

namespace tailfix {

struct SpringOptions {
    double frequency_hz = 0.9;
    double tip_frequency_hz = 0.45; // half of the root's: muscle at the base, fur at the end
    double damping = 0.65;
    double gravity = 1;
    double bend_rate = 12;
    double bend_limit_deg = 30;
};

template <class Visit>
void fields(SpringOptions& o, Visit&& visit)
{
    visit("frequency", o.frequency_hz, Range{0.01, 20}, "Hz", "how fast the first link swings");
    visit("tip-frequency", o.tip_frequency_hz, Range{0.01, 20}, "Hz", "how fast the last link swings");
    visit("damping", o.damping, Range{0, 5}, "", "damping ratio: 1 comes to rest without overshoot");
    visit("gravity", o.gravity, Range{-100, 100}, "m/s^2", "downward pull (a tail has muscle, so less than 9.8)");
    visit("bend-rate", o.bend_rate, Range{0, 1000}, "1/s", "how fast neighbouring links share a bend");
    visit("bend-limit", o.bend_limit_deg, Range{0, 180}, "deg", "farthest bend of a link away from rest");
}

// The joint that a chain hangs from, at one time.
struct RootPose {
    Eigen::Vector3d head = Eigen::Vector3d::Zero();     // of the first link, world, metres
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity(); // world from the joint, orthogonal
    double meters_per_bind_unit = 1;
};

struct LinkState {
    Eigen::Vector3d tip = Eigen::Vector3d::Zero();             // world, metres
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();        // world, m/s
    Eigen::Quaterniond bend = Eigen::Quaterniond::Identity();  // away from rest, pelvis frame; before contact
    Eigen::Quaterniond local = Eigen::Quaterniond::Identity(); // parent_from_joint: what the file stores
    double bend_rad = 0;                                       // away from rest, after contact
    bool on_floor = false;
};

using ChainState = std::vector<LinkState>; // root to tip

struct StepRules {
    SpringOptions spring;
    ContactOptions contact;
    std::optional<double> floor; // lowest height of a tip, metres
};

// At rest and without speed. Contact is not considered: a step does that.
ChainState rest_state(const RestArc& arc, const RootPose& root);

// The state dt seconds later, with the chain hanging from where `root` is then. dt of at most longest_step().
ChainState step_chain(const ChainState& before, const RestArc& arc, const RootPose& root, const StepRules& rules,
                      double dt);

// The longest step that semi-implicit Euler takes without gaining energy, with a margin of four.
double longest_step(const SpringOptions& options);

} // namespace tailfix
