// What a tail may not pass: the ground, and a plane across the body at its root.
//
// Source: method.md 7, step 6. Contact turns a link, it never shortens it (clamping a particle's height does) and never
// lifts the body. The front plane passes through the tail's root, faces the character's forward and turns with the
// joint the tail hangs from. A tip whose rest lies in front of that plane (a tail curled over the back) is let as far
// forward as it rests, so that spring and plane never work against each other. World space, metres.
#pragma once

#include <optional>

#include <Eigen/Geometry>

#include <tailfix/options.h>

namespace tailfix {

// How a stop takes a tip's speed. Calm: only that with which it went too far, and by degrees; and no link turns faster
// than its spring and its neighbours can make it (spring.h). Article: method.md 7, step 7, to the letter.
enum class ContactRule { Calm, Article };

struct ContactOptions {
    ContactRule rule = ContactRule::Calm;
    double damping = 8;
    bool front_plane = true;
};

template <class Visit>
void fields(ContactOptions& o, Visit&& visit)
{
    visit("contact", o.rule, Choices{{"calm", "article"}},
          "calm: stops take speed by degrees, and no link whips; article: all at once");
    visit("contact-damping", o.damping, Range{0, 1000}, "1/s",
          "how fast a tail that lies on the ground loses its speed");
    visit("front-plane", o.front_plane, "keep the tail behind a plane across the body at its root");
}

struct Obstacles {
    std::optional<double> floor; // lowest height of a tip: the ground and the clearance
    bool front_plane = false;
    Eigen::Vector3d root = Eigen::Vector3d::Zero();
    Eigen::Vector3d forward = Eigen::Vector3d::UnitZ(); // unit
};

struct LinkSpan {
    Eigen::Vector3d head = Eigen::Vector3d::Zero();
    Eigen::Vector3d direction = -Eigen::Vector3d::UnitY(); // unit: the candidate
    Eigen::Vector3d rest = -Eigen::Vector3d::UnitY();      // unit: where to turn when the candidate does not say
    double length = 0;
    double front = 0; // farthest that the tip may lie in front of the root
};

struct Contact {
    Eigen::Vector3d direction = -Eigen::Vector3d::UnitY(); // unit, allowed
    bool floor = false;
    bool front = false;
};

Contact keep_clear(const LinkSpan& link, const Obstacles& obstacles);

} // namespace tailfix
