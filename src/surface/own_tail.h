// A tail that the rig has bones for already: it is left alone, and the joints are named (method.md 3).
//
// Known by the joints' names where they say so. Where they do not (joint_12 .. joint_16, other languages), by what the
// skin does: a tail that was found follows joints that lie in it, or, where its own bones explain it so well that
// nothing stands out, a chain that hangs behind the pelvis holds skin shaped like a tail. An auto-rigged tail passes
// for neither: its skin follows thighs, hips or shoulders, and those lie elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>
#include <tailfix/surface/detect.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct OwnTail {
    std::vector<int> joints; // ascending, at least one
    std::string names;       // of them, in quotes, for a person
};

std::optional<OwnTail> find_own_tail_by_name(const Character& character, const Roles& roles);

// The joints that the skin of a tail follows already, if it does.
std::optional<OwnTail> own_tail_of_skin(const Character& character, const Roles& roles, const Weld& weld,
                                        const Tail& tail, const DetectOptions& options = {});

// For where no tail stands out from the bones: the chain that holds one.
std::optional<OwnTail> find_own_tail_by_place(const Character& character, const Roles& roles, const Weld& weld,
                                              const DetectOptions& options = {});

// The chain that was taken for neck and head, in a rig without names whose tail is longer.
std::optional<OwnTail> own_tail_for_head(const Character& character, const Roles& roles, const Weld& weld,
                                         const DetectOptions& options = {});

// The piece of skin that mostly follows some joints, classed a tail; `reasons` is left empty.
Appendage piece_of_joints(const Character& character, const Roles& roles, const Weld& weld,
                          const std::vector<int>& joints, const DetectOptions& options = {});

// Puts a rig's own tail into what was found.
void report_own_tail(const Character& character, const Roles& roles, const Weld& weld, const OwnTail& own,
                     const DetectOptions& options, Detection& out);

// Takes the tails whose skin follows joints of its own out of those that get a chain, and reports them; where there is
// no tail at all, the chain that explains why.
void leave_own_tails(const Character& character, const Roles& roles, const Weld& weld, const DetectOptions& options,
                     Detection& out);

} // namespace tailfix
