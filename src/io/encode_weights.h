// Skin influences in a file's own component types.
#pragma once

#include <span>
#include <vector>

#include "io/accessor.h"

namespace tailfix::io {

// The joint slots and weights of a primitive: one of each per set (JOINTS_n, WEIGHTS_n).
struct InfluenceSets {
    std::vector<Elements> joints, weights;
};

struct SlotWeight {
    int slot = 0;
    double weight = 0;
};

// Replaces the influences of one vertex: the largest that fit the sets, with a stored sum of exactly 1 (255, 65535, or
// as near to 1 as floats come). Left-over places get slot 0 with weight 0. JOINTS of u8 grow to u16 for a slot over
// 255; throws Error{Unsupported} for one over 65535.
void store_influences(InfluenceSets& sets, std::size_t vertex, std::vector<SlotWeight> influences);

} // namespace tailfix::io
