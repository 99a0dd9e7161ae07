// A two-legged character with a tail, built in code: what the motion stages work on, without a file.
#pragma once

#include <functional>

#include <Eigen/Geometry>

#include <tailfix/motion/bake.h>
#include <tailfix/motion/floor.h>
#include <tailfix/motion/rest_arc.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/roles.h>
#include <tailfix/rig/world.h>
#include <tailfix/surface/weld.h>

namespace tailfix::test {

// Canonical space: metres, +Y up, facing +Z, left is +X, soles at y = 0. Lengths below are in it.
struct RigOptions {
    int links = 4;
    double link_length = 0.2;
    double bind_scale =
        1; // metres per bind unit: an armature scaled 0.01 or 100 has a bind space 100 or 0.01 times as large
    Eigen::Vector3d tail_direction = Eigen::Vector3d(0, -1, -0.5);
    double tail_curl_deg = 0;                        // per link, about the left-right axis
    Eigen::Vector3d hips = Eigen::Vector3d(0, 1, 0); // where the hips joint is; 1.8 tall
    Eigen::Quaterniond armature =
        Eigen::Quaterniond::Identity(); // world from bind: Z-up armatures, characters that face elsewhere
    Eigen::Quaterniond hips_frame = Eigen::Quaterniond::Identity();     // bind rotation of the hips joint and the links
    Eigen::Quaterniond terminal_frame = Eigen::Quaterniond::Identity(); // and of the last link, relative to that
    bool world_mirrored = false;                                        // a root with scale -1 along x
    bool geometry_mirrored = false;                                     // the character itself mirrored in x = 0
    bool end_joint = true;
    bool other_stored_pose = false; // joints but the root stored in some pose that is not the bind pose
};

struct Rig {
    RigOptions options;
    Character input; // before: no tail joints, the tail's skin on the left leg
    Rigged rigged;   // after: one chain
    Weld weld;
    Roles roles;

    World world() const { return find_world(rigged.character, roles); }
    double tail_length() const { return options.links * options.link_length; } // metres
};

Rig make_rig(const RigOptions& options = {});

// Where the hips are in canonical space, and how they are turned from their bind pose.
struct HipsPose {
    Eigen::Vector3d position;
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
};

// A clip that moves the hips; `pose` of seconds since `start`. Added to both characters of the rig.
void add_clip(Rig& rig, const std::string& name, double length, const std::function<HipsPose(double)>& pose,
              double start = 0, double frames_per_second = 60);

HipsPose swaying(double time, double period); // a loop in place
HipsPose walking(double time, double period); // a loop that travels along +Z
Eigen::Quaterniond about(const Eigen::Vector3d& axis, double degrees);

// The arc of method.md 6 with the article's defaults.
RestArc article_arc(const Rig& rig);

std::vector<BakedClip> bake(const Rig& rig, const MotionOptions& options = {}, const Floor& floor = {},
                            int threads = 1);

} // namespace tailfix::test
