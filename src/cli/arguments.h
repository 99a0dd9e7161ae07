// What was asked for on the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tailfix/pipeline.h>

namespace tailfix {

struct Arguments {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output; // empty: beside the input
    std::filesystem::path report; // empty: none
    std::filesystem::path mesh;   // empty: none
    bool inspect = false;
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    bool force = false;
    bool require_tail = false;
    Options options;
};

// Parses, or prints what the user asked for (help, version) or did wrong, and returns the exit code to end with.
struct Parsed {
    Arguments arguments;
    std::optional<int> exit;
};
Parsed parse_arguments(int argc, char** argv);

} // namespace tailfix
