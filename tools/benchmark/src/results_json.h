// Results as JSON, and what of them a comparison reads back.
#pragma once

#include <string>
#include <vector>

#include "result.h"

namespace tailfix::benchmark {

inline constexpr int kSchema = 1; // of the file; another one is not compared

struct Settings {
    std::string detect = "both";
    bool names = true;
};

// Two spaces of indent down to the models, then one line each, numbers rounded to 4 digits: a difference between two
// files is read line by line. Times are left out, so that the same figures are the same file.
std::string to_json(const std::vector<Result>& results, const Settings& settings);

// What to_json wrote: of each model the figures that are compared. Throws Error{Invalid} where it is something else.
struct Baseline {
    Settings settings;
    std::vector<Result> models;
};

Baseline parse_baseline(const Json& json);

} // namespace tailfix::benchmark
