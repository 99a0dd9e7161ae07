// Chains that an earlier run grew: recognised, looked past while the character is read, and baked again in place.
//
// Source: method.md 3, last paragraph. Known by what rest_pose.h makes of a chain: nodes Tail_1 .. Tail_K and Tail_End
// (Tail2_1 ...), each the only joint below the one before and Tail_1 directly below the joint the chain hangs from; the
// same bind rotation and scale in all of them, so that every local transform is a translation; no skin on Tail_End, and
// clips that turn the joints and do nothing else to them. A chain of which anything else is true was made or changed by
// someone else, and is theirs.
#pragma once

#include <optional>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/rig/rest_pose.h>

namespace tailfix {

struct Grown {
    std::vector<JointChain> chains; // joints of the character as it is
    // The same joints, without what the chains brought: their skin follows the joint the chain hangs from, and no clip
    // moves them. What a first run decided from the skeleton is decided from this again. Empty without chains.
    std::optional<Character> without;
};

Grown find_grown_chains(const Character& character);

// Hands older chains to the stages that move chains: behind the new ones, in their bind pose, with no keys of their
// own, so that nothing of an earlier bake drives a new one. Joints and weights stay as they are.
Rigged take_up_chains(Rigged rigged, const std::vector<JointChain>& chains);

} // namespace tailfix
