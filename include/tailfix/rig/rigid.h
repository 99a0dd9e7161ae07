// Skin that follows one joint as a whole: what `--worn rigid` and `--wide rigid` do with what they name.
//
// Source: method.md 3, the class table. Weight 1 on the joint the piece hangs from, so that nothing of it stretches.
#pragma once

#include <vector>

#include <tailfix/rig/weights.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// `weights`, and the given welded points (ascending) on `joint` alone. Points that `weights` has already keep theirs:
// a tail outranks what is worn beside it.
SkinWeights bind_rigidly(const SkinWeights& weights, const std::vector<int>& points, int joint);

// The welded points that become rigid with pieces that hang from one joint; ascending. What is rigid is the thing, not
// the far part of it: of every shell (connected piece of the triangles) of which the pieces hold more than half, all (a
// sword's hilt or a skirt's hem lies near a bone); of a shell that holds more than half of a piece, that part (a coat
// in one with the body); and of others, into which a piece reaches by a corner, nothing.
std::vector<int> rigid_points(const Weld& weld, const std::vector<std::vector<int>>& pieces);

} // namespace tailfix
