// The benchmark's command line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailfix::benchmark {

struct Arguments {
    std::vector<std::filesystem::path> folders; // empty: data/ and the models, where present
    std::optional<std::pair<int, int>> seeds;   // first, last
    std::filesystem::path json, markdown, baseline;
    std::string only;
    std::string detect = "both";
    bool names = true;
    bool cost = false;
    bool help = false;
    int jobs = 0;
};

extern const char* const kUsage;

// Throws Error{Usage}.
Arguments parse_arguments(const std::vector<std::string>& words);

} // namespace tailfix::benchmark
