// The character with its chains and weights added: what the file will be.
//
// Source: method.md 4, last part. Each link shares the bind rotation and scale of the joint the chain hangs from, so
// that every local transform is a pure translation and no inverse bind matrix needs a decomposition.
#pragma once

#include <vector>

#include <tailfix/character.h>
#include <tailfix/rig/chain.h>
#include <tailfix/rig/weights.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// A chain as joints of a character.
struct JointChain {
    std::string name;
    int attach = kNone;     // joint it hangs from
    std::vector<int> links; // joints, root to tip; each the child of the one before
    int end = kNone;        // unweighted joint at the tip, child of the last link; kNone where a rig has none
};

struct Rigged {
    Character character; // nodes, joints, skins and influences with the chains added at their ends
    std::vector<JointChain> chains;
    int first_new_node = 0; // nodes from here on are new
    int first_new_joint = 0;
    std::vector<bool> vertex_changed; // per vertex: its influences are not the input's
};

Rigged add_chains(const Character& character, const Weld& weld, const std::vector<Chain>& chains,
                  const SkinWeights& weights);

} // namespace tailfix
