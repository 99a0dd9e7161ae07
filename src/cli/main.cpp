// tailfix: parse, run, print, exit.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <tailfix/batch.h>
#include <tailfix/error.h>

#include "cli/arguments.h"
#include "cli/printable.h"
#include "cli/progress.h"
#include "cli/report_file.h"

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
            fmt::print("{}", printable(to_summary(report, detail), true));
        } else if (arguments.inputs.size() == 1 && !arguments.quiet) {
            fmt::print(stderr, "{}", printable(to_summary(report, detail), true));
        }
    }
}

std::vector<Job> jobs_of(const Arguments& arguments)
{
    std::vector<Job> jobs;
    for (const auto& input : arguments.inputs)
        jobs.push_back({input, output_of(input, arguments), arguments.inspect, arguments.force, arguments.require_tail,
                        mesh_of(input, arguments)});
    return jobs;
}

// Two inputs of one name and one folder for both: the second result would replace the first.
void check_outputs(const std::vector<Job>& jobs)
{
    std::map<std::filesystem::path, std::filesystem::path> input_of;
    for (const Job& job : jobs) {
        const auto& written = job.inspect_only ? job.mesh : job.output;
        if (written.empty()) continue;
        const auto [other, is_new] =
            input_of.try_emplace(std::filesystem::absolute(written).lexically_normal(), job.input);
        if (!is_new)
            throw Error(Failure::Usage, fmt::format("{} and {} would both be written to {}", other->second.string(),
                                                    job.input.string(), written.string()));
    }
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
    const std::vector<Job> jobs = jobs_of(arguments);
    try {
        check_report(arguments, jobs);
        check_outputs(jobs);
    } catch (const Error& error) {
        spdlog::error("{}", printable(error.what()));
        return static_cast<int>(exit_of(error.kind));
    }
    std::vector<Outcome> outcomes;
    for (const Job& job : jobs) {
        {
            Progress progress(job.input.filename().string(), !arguments.quiet && !arguments.verbose);
            outcomes.push_back(run(job, arguments.options, [&](std::string_view stage) { progress.stage(stage); }));
        }
        print_outcome(outcomes.back(), arguments);
    }
    if (!write_report(outcomes, arguments)) {
        spdlog::error("{}: the report could not be written", arguments.report.string());
        return static_cast<int>(ExitCode::Unwritable);
    }
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
