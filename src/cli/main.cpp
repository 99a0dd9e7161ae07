// tailfix: parse, run, print, exit.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <tailfix/batch.h>

#include "cli/arguments.h"
#include "cli/progress.h"

namespace tailfix {
namespace {

void set_up_log(const Arguments& arguments)
{
    // NO_COLOR (no-color.org): any value but the empty one.
    const char* no_color = std::getenv("NO_COLOR");
    const auto mode =
        no_color != nullptr && *no_color != '\0' ? spdlog::color_mode::never : spdlog::color_mode::automatic;
    spdlog::set_default_logger(spdlog::stderr_color_mt("tailfix", mode));
    spdlog::set_pattern("%^%v%$");
    spdlog::set_level(arguments.quiet     ? spdlog::level::err
                      : arguments.verbose ? spdlog::level::debug
                                          : spdlog::level::info);
}

std::filesystem::path output_of(const std::filesystem::path& input, const Arguments& arguments)
{
    std::error_code ignored;
    if (arguments.output.empty()) return default_output(input);
    if (arguments.inputs.size() > 1 || std::filesystem::is_directory(arguments.output, ignored))
        return arguments.output / default_output(input.filename());
    return arguments.output;
}

std::filesystem::path mesh_of(const std::filesystem::path& input, const Arguments& arguments)
{
    std::error_code ignored;
    if (arguments.mesh.empty()) return {};
    if (arguments.inputs.size() > 1 || std::filesystem::is_directory(arguments.mesh, ignored))
        return arguments.mesh / default_mesh(input.filename());
    return arguments.mesh;
}

// One line for a person, whatever the message holds: names come from the file, and may hold anything.
std::string printable(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return text;
}

void print_outcome(const Outcome& outcome, const Arguments& arguments)
{
    const Report& report = outcome.report;
    const Detail detail = arguments.verbose ? Detail::EveryTest : Detail::Decisive;
    for (const auto& warning : report.warnings) spdlog::warn("{}: warning: {}", report.input, printable(warning));
    if (report.error) spdlog::error("{}: {}", report.input, printable(report.error->message));
    if (arguments.json) {
        fmt::print("{}\n", to_json(report, arguments.inputs.size() == 1 ? 2 : -1));
    } else if (!report.error) {
        fmt::print("{}\n", printable(to_line(report)));
        std::fflush(stdout);
        if (arguments.inspect) {
            fmt::print("{}", to_summary(report, detail));
        } else if (arguments.inputs.size() == 1 && !arguments.quiet) {
            fmt::print(stderr, "{}", to_summary(report, detail));
        }
    }
}

bool is_same_place(const std::filesystem::path& a, const std::filesystem::path& b)
{
    std::error_code ignored; // what is not there yet is compared by its name
    return std::filesystem::equivalent(a, b, ignored) ||
           std::filesystem::absolute(a).lexically_normal() == std::filesystem::absolute(b).lexically_normal();
}

// The input is never touched, not even by a slip in the name of the report.
bool report_replaces_model(const Arguments& arguments)
{
    return !arguments.report.empty() &&
           std::any_of(arguments.inputs.begin(), arguments.inputs.end(), [&](const std::filesystem::path& input) {
               return is_same_place(arguments.report, input) ||
                      is_same_place(arguments.report, mesh_of(input, arguments)) ||
                      (!arguments.inspect && is_same_place(arguments.report, output_of(input, arguments)));
           });
}

// The report goes to its file only when complete, so that a script never reads half of one.
bool write_report(const std::vector<Outcome>& outcomes, const Arguments& arguments)
{
    if (arguments.report.empty()) return true;
    std::filesystem::path partial = arguments.report;
    partial += ".part";
    std::ofstream file(partial, std::ios::binary);
    for (const auto& outcome : outcomes) file << to_json(outcome.report, outcomes.size() == 1 ? 2 : -1) << '\n';
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(partial, arguments.report, error);
    if (file && !error) return true;
    spdlog::error("{}: the report could not be written", arguments.report.string());
    std::filesystem::remove(partial, error);
    return false;
}

int exit_code(const std::vector<Outcome>& outcomes)
{
    if (outcomes.size() == 1) return static_cast<int>(outcomes.front().exit);
    const bool failed =
        std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.exit != ExitCode::Done; });
    return static_cast<int>(failed ? ExitCode::SomeFailed : ExitCode::Done);
}

int run_all(const Arguments& arguments)
{
    set_up_log(arguments);
    if (report_replaces_model(arguments)) {
        spdlog::error("{}: the report would replace an input or an output", arguments.report.string());
        return static_cast<int>(ExitCode::Usage);
    }
    std::vector<Outcome> outcomes;
    for (const auto& input : arguments.inputs) {
        Job job{input,           output_of(input, arguments), arguments.inspect,
                arguments.force, arguments.require_tail,      mesh_of(input, arguments)};
        {
            Progress progress(input.filename().string(), !arguments.quiet && !arguments.verbose);
            outcomes.push_back(run(job, arguments.options, [&](std::string_view stage) { progress.stage(stage); }));
        }
        print_outcome(outcomes.back(), arguments);
    }
    if (!write_report(outcomes, arguments)) return static_cast<int>(ExitCode::Unwritable);
    return exit_code(outcomes);
}

} // namespace
} // namespace tailfix

int main(int argc, char** argv)
{
    try {
        const auto parsed = tailfix::parse_arguments(argc, argv);
        return parsed.exit ? *parsed.exit : tailfix::run_all(parsed.arguments);
    } catch (const std::exception& error) {
        fmt::print(stderr, "tailfix: {}\n", error.what());
        return static_cast<int>(tailfix::ExitCode::SomeFailed);
    }
}
