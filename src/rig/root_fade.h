// How the file's own weights give way to the joint a tail hangs from, over the skin around its root.
//
// [T], method.md 5 "The seam". Two harmonic functions, which change as gently as the skin between their known values
// allows: the part of its own weights that a point keeps (1 where the file's weights begin, 0 inside the tail), and the
// weights themselves, filled in from those around. The first keeps the body's own pattern, the second has none of the
// steps of a torn tail, left thigh beside right. On the body both count; at the ring the second alone.
//
// Every joint gives way, not only the limbs': skin of the spine beside skin that has left it for the pelvis tears as
// well (velociraptor: p99 of the body 1.04 of before with the torso's weights left alone, 1.01 so).
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/surface/weld.h>

#include "rig/skinning.h"

namespace tailfix {

// The skin around one root, per welded point (bind units).
struct FadeZone {
    int attach = 0;
    double radius = 0;         // of the root
    std::vector<double> along; // signed geodesic distance from the ring; -infinity: not this root's
    double outer = 0;          // along <= outer: the file's weights
    double inner = 0;          // along >= inner: nothing but the attachment's
};

// What points of the zone are left with of joints other than the attachment.
struct RootFade {
    int attach = 0;
    std::vector<int> joints;       // columns of `weights`, ascending
    std::vector<int> row_of_point; // per welded point; kNone where the file's weights stay
    Eigen::MatrixXd weights;
    double inner = 0; // as in the zone

    // The weights `kept` of a point at distance `along` from the ring, reduced to what they are left with, and never
    // more than they were.
    std::vector<Influence> apply(std::vector<Influence> kept, int point, double along) const;
};

RootFade fade_root(const Skinning& skinning, const Weld& weld, const FadeZone& zone);

} // namespace tailfix
