// Whether detection got worse.
#pragma once

#include <string>
#include <vector>

#include "result.h"

namespace tailfix::benchmark {

struct Comparison {
    std::vector<std::string> falls; // one per model, and one for the mean
    std::vector<std::string> gains;
    std::vector<std::string> absent; // models of the baseline that were not run
    int compared = 0;
    int held = 0; // models that are no worse

    bool holds() const { return compared > 0 && falls.empty(); }
};

// Models are matched by name; those that the baseline does not know are left out.
Comparison compare(const std::vector<Result>& baseline, const std::vector<Result>& now);

} // namespace tailfix::benchmark
