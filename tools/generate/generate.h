// Characters with known tails, made from a seed: the truth that the detection benchmark is judged by.
//
// A body is a smooth union of round cones around a skeleton, meshed and thinned out to some number of vertices; a tail
// is a tube that leaves it behind the pelvis, welded to it or as shells of its own. Nothing here knows how tails are
// found. Built in metres, Y up, facing +Z, and only then turned and scaled into the space of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tailfix::generate {

struct Generated {
    std::string name; // "seed-017" or "seed-017-tailless"
    std::vector<std::uint8_t> glb;
    nlohmann::json truth; // as NAME.truth.json beside a model, with "description" and "tails"
};

// The same bytes for the same arguments. The two variants of a seed share everything but the tails.
Generated generate(int seed, bool with_tails);

} // namespace tailfix::generate
