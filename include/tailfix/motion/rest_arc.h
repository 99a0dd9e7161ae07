// The pose a tail wants to hang in, and the frames that its bends are compared in.
//
// Source: method.md 6. The authored curve may be swept to one side or hang between the legs; the rest arc is a curve
// centred behind the pelvis by `curve` (0 centred, 1 authored), lifted backward and up by `carry` over the whole tail.
// Centring a tail that was modelled far to one side tears its root standing still, so the automatic fit takes the most
// centred curve, and then the most carry, whose skin stays within what the body itself stretches.
//
// Frames: the pelvis frame is the character frame of roles.h (x left, y up, z forward) as it turns with the joint the
// chain hangs from. A link's parent frame is its parent joint's, without scale: orthogonal, left-handed under a mirror.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/options.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/roles.h>
#include <tailfix/rig/world.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct RestOptions {
    WordOr curve = WordOr::of("auto");
    double carry_deg = 50;
    double share = 0.2; // of what the body's stretch allows: motion needs the rest
    double root_turn_deg = 30;
    bool skin_limit = true;
};

template <class Visit>
void fields(RestOptions& o, Visit&& visit)
{
    visit("rest-curve", o.curve, Words{{"auto"}}, Range{0, 1}, "",
          "how much of the modelled curve the tail keeps at rest: 0 centred, 1 as modelled (auto: the most centred "
          "that does not tear)");
    visit("carry", o.carry_deg, Range{0, 180}, "deg",
          "how far the whole tail is lifted backward and up (with --rest-curve auto: at most)");
    visit("rest-share", o.share, Range{0, 1}, "",
          "with --rest-curve auto, the part of the allowed stretch that the rest pose may use up");
    visit("rest-turn", o.root_turn_deg, Range{0, 180}, "deg",
          "with --rest-curve auto, farthest turn of the root in files without clips");
    visit("skin-limit", o.skin_limit, "lower the bend limit of a tail too thick for it: to where its skin would tear");
}

struct RestLink {
    Eigen::Vector3d neutral = -Eigen::Vector3d::UnitY(); // n: unit direction in the bind pose, parent frame
    Eigen::Vector3d rest = -Eigen::Vector3d::UnitY();    // r: unit direction at rest, parent frame
    Eigen::Quaterniond neutral_rotation = Eigen::Quaterniond::Identity(); // parent from link, bind pose
    Eigen::Matrix3d pelvis_from_parent = Eigen::Matrix3d::Identity(); // A: pelvis frame from the parent's rest frame
    double length = 0;                                                // bind units
    double front = 0; // how far its tip lies in front of the tail's root at rest, at least 0, bind units
};

struct RestArc {
    int chain = 0; // index into Rigged::chains
    std::vector<RestLink> links;
    Eigen::Vector3d root = Eigen::Vector3d::Zero();     // the first joint, in the space of the joint it hangs from
    Eigen::Vector3d forward = Eigen::Vector3d::UnitZ(); // the character's, in that joint's frame
    double attach_scale = 1;                            // bind units per unit of that joint's space
    double curve = 0;                                   // beta
    double carry_deg = 0;                               // C
    double root_turn_deg = 0;                           // of the first link, from its bind pose
    double bend_limit_deg = 180;                        // farthest bend away from rest that its skin bears
    std::string reason;
};

// The arc of one chain for a given curve and carry: the formulas of method.md 6 and nothing else.
RestArc shape_rest_arc(const Rigged& rigged, int chain, const Frame& frame, double curve, double carry_deg);

// Local rotation of a link (parent_from_joint) whose tip lies in unit direction `direction` of the parent frame.
Eigen::Quaterniond link_rotation(const RestLink& link, const Eigen::Vector3d& direction);

// One arc per chain.
std::vector<RestArc> fit_rest_arcs(const Rigged& rigged, const Weld& weld, const Roles& roles, const World& world,
                                   const RestOptions& options = {});

} // namespace tailfix
