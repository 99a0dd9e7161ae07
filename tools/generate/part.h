// A piece of surface under construction.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "field.h"

namespace tailfix::generate {

struct Part {
    std::string name;
    std::string bind; // role of the joint that carries it; empty: its vertices follow their nearest bones
    std::vector<Vec> positions;
    std::vector<std::array<int, 3>> triangles; // counter-clockwise from outside
    std::vector<int> tail;                     // per vertex: number of its tail from 1, or 0
};

} // namespace tailfix::generate
