// Skin that follows one joint as a whole: what `--worn rigid` and `--wide rigid` do with what they name.
//
// Source: method.md 3, the class table. Weight 1 on the joint the piece hangs from, so that nothing of it stretches.
#pragma once

#include <vector>

#include <tailfix/rig/weights.h>

namespace tailfix {

// `weights`, and the given welded points (ascending) on `joint` alone. Points that `weights` has already keep theirs:
// a tail outranks what is worn beside it.
SkinWeights bind_rigidly(const SkinWeights& weights, const std::vector<int>& points, int joint);

} // namespace tailfix
