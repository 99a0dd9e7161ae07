// Every random choice of a seed, made before anything is built.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tailfix::generate {

// Lengths are shares of the character's height unless a name says otherwise.
struct TailPlan {
    double length = 0.5;
    double radius = 0.03;  // at the root
    std::string taper;     // even, cone, bushy, tuft, club
    std::string direction; // back, down, up, left, right, curled, s-curve, floor
    double rise = 0;       // of the root above the pelvis
    double aside = 0;      // of the root from the middle: where several grow side by side
    double lean = 0;       // radians, from straight back upwards, as it leaves the body
    double bend = 0;       // 0..1: how soon it turns
};

struct Plan {
    int seed = 0;
    std::string body;         // slender, average, stout, chibi, toon, cat, horse, raptor
    double height = 1.8;      // metres
    double limbs = 1;         // thickness of the limbs, times
    double trunk = 1;         // thickness of the trunk, times
    double rump = 1;          // of what lies behind the pelvis, times
    std::string arms;         // T, A, hanging
    std::string construction; // welded, own shell, two shells
    bool soup = false;        // every triangle with vertices of its own
    bool seams = false;       // vertices split along a seam, as for texture coordinates
    bool parts = false;       // head and body in meshes of their own
    int vertices = 5000;
    std::vector<TailPlan> tails; // one at least, also where the tailless variant leaves them out
    std::vector<std::string> decoys;
    std::string convention; // of the joints' names
    bool root_joint = false, fingers = false, end_joints = false, aligned_joints = false;
    double facing = 0;           // radians about up
    double scale = 1;            // file units per metre
    bool z_up = false;           // of the data, under an armature that turns it
    bool armature_scale = false; // the armature brings it back to metres
    bool posed = false;          // the stored pose is not the bind pose

    bool quadruped() const { return body == "cat" || body == "horse"; }
    nlohmann::json describe() const;
};

Plan make_plan(int seed);

} // namespace tailfix::generate
