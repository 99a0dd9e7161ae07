// The life of one file: read, fixed, written, reported.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include <tailfix/error.h>
#include <tailfix/pipeline.h>
#include <tailfix/report/report.h>

namespace tailfix {

struct Job {
    std::filesystem::path input;
    std::filesystem::path output; // not used when only inspecting
    bool inspect_only = false;    // report what would be done; write nothing
    bool overwrite = false;       // an output that exists is replaced
    bool require_tail = false;    // finding none is an error
    std::filesystem::path mesh;   // where a model that shows what was found is written; empty: nowhere
};

// Exit codes of the program for one file; design.md, "Program".
enum class ExitCode { Done = 0, SomeFailed = 1, Usage = 2, BadInput = 3, Unsupported = 4, Unwritable = 5, NoTail = 6 };

ExitCode exit_of(Failure kind);

struct Outcome {
    Report report;
    ExitCode exit = ExitCode::Done;
};

// Never throws tailfix::Error: what went wrong is in the report. `on_stage` is called as each stage begins; may be
// empty.
Outcome run(const Job& job, const Options& options, const std::function<void(std::string_view)>& on_stage = {});

// NAME.tailfix.EXT beside the input.
std::filesystem::path default_output(const std::filesystem::path& input);

// NAME.inspect.glb beside the input.
std::filesystem::path default_mesh(const std::filesystem::path& input);

} // namespace tailfix
