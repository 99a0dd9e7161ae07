// Which joint is what, and how the character stands: from names where they are known, from topology and mirror
// symmetry where they are not.
//
// Source: method.md 0 (character frame) and detection.md 1 (rig roles and frame). Everything is derived in bind space
// from inverse bind matrices and skin, never from stored poses or world axes: models face any way and may be Z-up.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/options.h>

namespace tailfix {

enum class Role { Other, Pelvis, Spine, Neck, Head, Thigh, Shin, Foot, Arm };
enum class Side { Middle, Left, Right };

// Orthonormal and right-handed, bind space: forward = left x up.
struct Frame {
    Eigen::Vector3d left = Eigen::Vector3d::UnitX();
    Eigen::Vector3d up = Eigen::Vector3d::UnitY();
    Eigen::Vector3d forward = Eigen::Vector3d::UnitZ();
};

// A bone as a segment of bind space, from a joint towards a child; a stub past a leaf joint.
struct Bone {
    int joint = kNone; // the joint at its head, which moves it
    Eigen::Vector3d head = Eigen::Vector3d::Zero();
    Eigen::Vector3d tail = Eigen::Vector3d::Zero();
};

struct RoleOptions {
    std::string pelvis; // name of the pelvis joint; empty: found
    double stub = 0.05; // longest stub past a leaf joint, of H
    double up_snap_deg = 30;
};

template <class Visit>
void fields(RoleOptions& o, Visit&& visit)
{
    visit("pelvis", o.pelvis, "name of the joint to take as the pelvis (default: found)");
    visit("stub", o.stub, Range{0, 0.5}, "H", "longest bone stub past a leaf joint");
    visit("up-snap", o.up_snap_deg, Range{0, 45}, "deg", "an up axis this near to an axis of the file is that axis");
}

struct Roles {
    bool is_character = false;   // false: neither legs nor a named pelvis or head; then the rest is not to be used
    std::string why_not;         // the reason when it is not
    std::vector<Role> role;      // per joint
    std::vector<Side> side;      // per joint
    std::vector<bool> live;      // per joint: some skin weight in its subtree
    std::vector<Bone> bones;     // live bones and stubs; control lines above the pelvis left out
    std::vector<int> leg_leaves; // end joints of the leg pairs
    int pelvis = kNone;          // joint index
    int head = kNone;            // joint index
    Eigen::Vector3d middle = Eigen::Vector3d::Zero(); // halfway from pelvis to head, as the joints' places tell them,
                                                      // whatever their names where the two agree; bind space
    Frame frame;
    double mirror = 0;              // lateral coordinate (along frame.left) of the mirror plane, bind space
    double ground = 0;              // lowest skin along frame.up, bind space
    double height = 0;              // H: extent of the skin along frame.up, bind units
    double size = 0;                // S: half the diagonal of the skin's bounding box, bind units
    std::vector<std::string> notes; // how pelvis, head and frame were decided
};

// Throws Error{Usage} when options.pelvis names no joint of the rig.
Roles find_roles(const Character& character, const RoleOptions& options = {});

} // namespace tailfix
