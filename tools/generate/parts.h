// The pieces of a character: its body with what is welded to it, tails of their own shell, and what it wears.
#pragma once

#include <optional>

#include "part.h"
#include "plan.h"
#include "skeleton.h"
#include "tail.h"

namespace tailfix::generate {

struct Pieces {
    std::vector<Part> parts; // the body first
    std::vector<TailShape> tails;
    std::vector<std::optional<Vec>>
        roots; // per tail: the middle of the ring where it leaves the body; none: no such ring
};

Pieces make_pieces(const Plan& plan, const Rig& rig, bool with_tails);

} // namespace tailfix::generate
