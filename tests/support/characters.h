// Meshes and rigged characters built in code, with the truth about their tails.
#pragma once

#include <functional>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>

namespace tailfix::support {

// A tube of rings along a circular arc that starts at the origin towards -z and bends upwards (+y) by `bend` in all.
struct Tube {
    double length = 1; // of the centreline
    double bend = 0;   // radians; 0 is straight
    int rings = 101;   // evenly spaced, the first at the root
    int sides = 24;
    std::function<double(double)> radius = [](double) { return 0.1; }; // of the share of the length, 0 to 1
    bool tip = false; // closed by one more vertex at the last ring's centre
};

Eigen::Vector3d tube_centre(const Tube& tube, double share);

// Vertex ring * sides + side; no vertex twice. The root end is open.
Mesh make_tube(const Tube& tube = {});

struct Capsule {
    Eigen::Vector3d from;
    Eigen::Vector3d to;
    double radius = 0.05;
};

// An upright cat in T-pose: 1.7 m, facing +z, +y up, 19 joints with Mixamo's names and none in the tail. Body and tail
// are one closed surface unless told otherwise, skinned by distance to the bones as an auto-rigger would.
struct CatOptions {
    double step = 0.03; // m: the grid the surface is made on; the smaller, the more vertices (about 1/step^2)
    std::vector<Eigen::Vector3d> tail = {
        {0, 0.95, -0.05}, {0, 0.92, -0.25}, {0, 0.78, -0.45}, {0, 0.66, -0.7}}; // empty: none
    double tail_radius = 0.05;
    bool own_shell = false;      // the tail is a closed surface of its own, its root inside the body
    bool seams = false;          // vertices on the plane between left and right exist twice, as along a UV seam
    std::vector<Capsule> shells; // more closed surfaces of their own: ears, scabbards, quivers
    Eigen::Affine3d bind_from_model = Eigen::Affine3d::Identity(); // a rotation, a translation and a uniform scale
};

struct Cat {
    Character character;     // one skin, one primitive; node 0 is "Armature", node j + 1 is joint j in its bind pose
    Roles roles;             // as they are, not as found
    std::vector<bool> tail;  // per vertex: on the tail's surface rather than the body's
    std::vector<bool> shell; // per vertex: on one of CatOptions::shells
};

Cat make_cat(const CatOptions& options = {});

// Adds positions and triangles, unskinned influences (all on `joint`), to the character's only primitive.
void append_shell(Character& character, const Mesh& shell, int joint);

int joint_named(const Character& character, const std::string& name); // kNone when there is none

} // namespace tailfix::support
