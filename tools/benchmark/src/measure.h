// Detection on one model, against what is expected of it.
#pragma once

#include <filesystem>
#include <vector>

#include <tailfix/surface/detect.h>

#include "result.h"

namespace tailfix::benchmark {

struct MeasureOptions {
    DetectMethod method = DetectMethod::Both;
    bool names = true;               // false: joints and nodes lose their names before anything is asked of them
    std::filesystem::path temporary; // folder for generated characters
};

// A file that cannot be read is a result; Error{Invalid} where the truth does not fit the model.
Result measure(const Model& model, const MeasureOptions& options);

// In parallel; in the order given. `threads` 0: one per core.
std::vector<Result> measure_all(const std::vector<Model>& models, const MeasureOptions& options, int threads);

} // namespace tailfix::benchmark
