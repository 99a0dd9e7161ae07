// Runs the real program, as a shell would.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tailfix::test {

struct ProgramRun {
    int exit = -1; // -1: ended by a signal
    std::string out;
    std::string err;
};

// Runs tailfix with these arguments in `folder`, so that arguments can be names in it. Nothing else is put there.
ProgramRun run_tailfix(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

// Every file and folder under `folder`, hidden ones too, relative and sorted.
std::vector<std::string> everything_in(const std::filesystem::path& folder);

std::string read_text(const std::filesystem::path& path);

// JSON Lines, or one object over several lines.
std::vector<nlohmann::ordered_json> parse_reports(const std::string& text);

} // namespace tailfix::test
