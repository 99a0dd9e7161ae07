// The tails of chains that an earlier run grew, among what is found on the character.
#pragma once

#include <vector>

#include <tailfix/rig/rest_pose.h>
#include <tailfix/surface/detect.h>

namespace tailfix {

// `found` with a piece for every chain, behind the tails that get a new one: the skin that mostly follows its links.
// What was found where that skin is, is that tail once more and left out, so that no tail gets a second chain.
// `character` is the one with the chains.
Detection with_grown_tails(Detection found, const Character& character, const Roles& roles, const Weld& weld,
                           const std::vector<JointChain>& chains, const DetectOptions& options = {});

} // namespace tailfix
