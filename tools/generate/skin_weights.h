// Skin weights as a simple auto-rigger gives them.
#pragma once

#include <array>
#include <vector>

#include "part.h"
#include "skeleton.h"

namespace tailfix::generate {

struct Influences {
    std::array<int, 4> joints{};
    std::array<float, 4> weights{}; // sum 1, falling
};

// Per vertex: its four nearest bones by the inverse fourth power of the distance, or the joint of Part::bind alone.
std::vector<Influences> make_weights(const Part& part, const Rig& rig);

} // namespace tailfix::generate
