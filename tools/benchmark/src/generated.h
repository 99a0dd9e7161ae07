// Characters of the generator (tools/generate) as models of the benchmark.
#pragma once

#include <filesystem>
#include <vector>

#include <tailfix/io/load.h>

#include "result.h"
#include "truth.h"

namespace tailfix::benchmark {

bool has_generator(); // this build has it

// Seeds first to last, each with its tail and without.
std::vector<Model> generated_models(int first, int last);

struct Generated {
    Loaded loaded;
    Truth truth;
};

// Made, written to a file in `folder` and read from there, as any other model; the file is removed. Throws Error.
Generated generate_character(const Model& model, const std::filesystem::path& folder);

} // namespace tailfix::benchmark
