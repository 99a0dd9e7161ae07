// What `inspect --mesh` shows of a rig: its skin in the bind pose, once for each thing that a person asks about,
// coloured by the answer.
//
//   distance to the bones    method.md 1: viridis from a bone to the far limit, a step there, and viridis again beyond
//   pieces and collars       what was considered, each piece in a colour of its own, and what it hangs on
//   classes                  what each piece was taken for
//   distance along the tail  the root at one end of viridis, the tip at the other; only where a tail was found
//   skeleton                 bones, the joints that matter, and the line that a tail's new bones lie on
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>
#include <tailfix/rig/world.h>
#include <tailfix/surface/detect.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// sRGB, as a person picks it off a screen. Alpha below 255 is see-through.
struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;

    friend bool operator==(const Colour&, const Colour&) = default;
};

struct LegendLine {
    std::string means;
    Colour colour;
};

struct DebugLine {
    Eigen::Vector3d from, to; // scene
    Colour colour;
};

// A place with something to say about it.
struct DebugMarker {
    std::string name;
    std::string text;
    Eigen::Vector3d place; // scene
};

struct DebugView {
    std::string name;
    std::vector<LegendLine> legend;
    std::vector<Colour> colours; // per vertex
    std::vector<DebugLine> lines;
    std::vector<DebugMarker> markers;
};

// One rig. "Scene" is the world of world.h in metres: the character stands upright where the file has it.
struct DebugRig {
    std::vector<Eigen::Vector3d> positions; // the file's own vertices, scene
    std::vector<Eigen::Vector3d> normals;   // unit, smooth over the welded surface
    std::vector<Eigen::Vector3i> triangles;
    Eigen::Vector3d left = Eigen::Vector3d::UnitX(); // the character's, horizontal, scene
    std::vector<DebugView> views;
};

// Where the joints of a tail lie or would lie, root to tip; bind space.
struct Centreline {
    std::vector<Eigen::Vector3d> joints;
    double root_radius = 0; // 0: not known
    int attach = kNone;
};

// What there is to show. References: used at once, never kept.
struct Inspected {
    const Character& character;
    const Roles& roles;
    const Weld& weld;
    const Detection& detection;
    const World& world;
    const std::vector<Centreline>& centrelines;
};

DebugRig make_debug_rig(const Inspected& inspected, const DetectOptions& options = {});

// From 0 (dark violet) to 1 (yellow), even to the eye: viridis (S. van der Walt and N. Smith, 2015).
Colour viridis(double t);

// Of a distance from the skeleton, `share` of the far limit. Runs through the dark half of viridis below 1 and through
// its last quarter from there to kFarthest, so that the limit shows as a step.
Colour field_colour(double share);
inline constexpr double kFarthestShown = 4; // far limits: 28% H by default, the tip of a medium tail

Colour class_colour(AppendageClass kind);

// Of the n-th piece; any two of the first dozen can be told apart.
Colour piece_colour(std::size_t n);

inline constexpr Colour kBodyColour{150, 150, 150};
inline constexpr Colour kTailCollar{255, 255, 255};
inline constexpr Colour kOtherCollar{0, 0, 0};

} // namespace tailfix
