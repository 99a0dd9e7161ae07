// What of a character is tail, and where it begins: NAME.truth.json, or the generator's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>

#include "result.h"

namespace tailfix::benchmark {

struct TruthTail {
    std::optional<Eigen::Vector3d> root; // bind space
    std::vector<std::string> attach;     // joints that are right, "node 7" where one has no name; empty: not known
};

struct Truth {
    struct Part {
        int mesh = 0, primitive = 0; // numbers in the file
        std::vector<double> weight;  // per vertex: over 0.5 is tail
    };
    std::vector<Part> parts;
    std::vector<TruthTail> tails; // empty where the truth does not list them
    Json description;             // of a generated character; null elsewhere

    bool any() const; // a vertex is tail
};

// Throws Error{Invalid} where it is no truth.
Truth parse_truth(const Json& json);

// Per vertex of the character; 0 on primitives that the truth does not name. Throws Error{Invalid} where the truth was
// made for a primitive of another size.
std::vector<double> weights_of_vertices(const Truth& truth, const Mesh& mesh);

} // namespace tailfix::benchmark
