// How the weights of limb joints give way to the joint a tail hangs from, over the skin around its root.
//
// [T], method.md 5 "The seam". Beyond the ramp the file's own weights are kept in part: the part is a harmonic
// function, 1 where the file's weights begin and 0 inside the tail, so that it changes as gently as the skin between
// allows. Close to the ring the file's own weights are those of a torn tail, left thigh beside right; there each limb's
// weight is a harmonic function itself, of its values around.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/surface/weld.h>

#include "rig/skinning.h"

namespace tailfix {

// The skin around one root, per welded point (bind units).
struct LimbZone {
    int attach = 0;
    double radius = 0;         // of the root
    std::vector<double> along; // signed geodesic distance from the ring; -infinity: not this root's
    double outer = 0;          // along <= outer: the file's weights
    double inner = 0;          // along >= inner: no limb weight at all
};

// The weights of limb joints (tears()) that points of the zone are left with.
struct LimbFade {
    std::vector<int> joints;       // columns of `weights`
    std::vector<int> row_of_point; // per welded point; kNone where the file's weights stay
    Eigen::MatrixXd weights;
    std::vector<bool> tearing; // per joint of the file
    double inner = 0;          // as in the zone

    // The weights `kept` of a point at distance `along` from the ring, limbs reduced to what they are left with, and
    // never more than they were.
    std::vector<Influence> apply(std::vector<Influence> kept, int point, double along) const;
};

LimbFade fade_limbs(const Skinning& skinning, const Weld& weld, const LimbZone& zone);

} // namespace tailfix
