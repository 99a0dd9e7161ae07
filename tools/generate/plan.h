// Every choice of a seed, as plain values: the variants with and without tails share one plan.
//
// Space of the whole generator until glb.cpp: +Y up, the character faces +Z, its left is +X, the floor is y = 0, and
// its height (a quadruped's larger of length and height) is about 1, called H.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tailfix::generate {

// Of a two-legged body, in H.
struct Biped {
    double hip = 0.53;       // height of the pelvis joint
    double shoulder = 0.82;  // height of the shoulders
    double head = 0.065;     // radius
    double hip_half = 0.055; // from the middle to a hip joint
    double shoulder_half = 0.11;
    double torso = 0.075; // radius of chest and pelvis
    double waist = 0.06;  // radius
    double belly = 0;     // radius of a ball in front of the waist; 0: none
    double limb = 0.035;  // radius of a thigh
    double arm = 0.4;     // length of the arm with the hand
};

// Of a four-legged body, in H.
struct Quadruped {
    double hip = 0.55;    // height of the pelvis joint
    double wither = 0.57; // height of the spine at the shoulders
    double trunk = 0.5;   // from pelvis to shoulders
    double barrel = 0.13; // radius
    double neck = 0.2;    // length
    double neck_up = 0.9; // radians above level
    double head = 0.08;   // radius
    double muzzle = 0.1;  // length
    double limb = 0.035;  // radius of a thigh
    double half = 0.07;   // from the middle to a leg
};

struct TailPlan {
    std::string direction; // straight, down, up, swept, curled, S, floor
    std::string taper;     // even, cone, bushy, tuft, club
    double length = 0.5;   // H
    double radius = 0.03;  // at the root, H
    double pitch = 0;      // radians added to the direction's own
    double yaw = 0;        // radians, to the left
    double side = 1;       // the side of what is not symmetric: +1 or -1
    double offset = 0;     // of the root from the middle, in root radii
    double height = 0;     // of the root above the pelvis joint, H
};

struct Plan {
    int seed = 0;
    std::string body; // slender, average, stout, chibi, toon, quadruped
    Biped biped;
    Quadruped quadruped;
    std::string arms; // T, A, hanging
    std::vector<TailPlan> tails;
    std::string construction; // welded, shell, two shells, soup, seams
    std::string tail_skin;    // of shells: nearest bones, or rigid on the pelvis
    int vertices = 5000;      // aimed at
    std::vector<std::string> decoys;
    std::string pieces; // one primitive, primitives, meshes
    std::string convention;
    std::string axes; // of joints: world, along the bone
    bool root_joint = false, end_joints = false, fingers = false;
    double facing = 0; // degrees from +Z to +X
    double scale = 1;  // of the bind space: its units per H
    double armature_scale = 1;
    std::string up = "Y";
    bool posed = false; // the stored pose is not the bind pose

    bool four_legs() const { return body == "quadruped"; }
};

Plan make_plan(int seed);

// few (to 2000), usual (to 20,000), many (to 100,000), most
std::string density_class(std::size_t vertices);

} // namespace tailfix::generate
