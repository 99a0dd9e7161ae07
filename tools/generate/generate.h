// Characters with known tails, for measuring the detector: every one is told by a seed.
//
// Nothing here uses the library's detection: the truth comes from how a character was made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tailfix::generate {

struct Generated {
    std::string name; // "seed-017" or "seed-017-tailless"
    std::vector<std::uint8_t> glb;
    nlohmann::json truth; // file, label, description, primitives (tail per vertex), tails (attach, root in bind space)
};

// The same bytes for the same arguments.
Generated generate(int seed, bool with_tails);

} // namespace tailfix::generate
