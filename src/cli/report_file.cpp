#include "cli/report_file.h"

#include <algorithm>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/staged_files.h"

namespace tailfix {
namespace {

namespace fs = std::filesystem;

bool is_same_place(const fs::path& a, const fs::path& b)
{
    std::error_code ignored; // what is not there yet is compared by its name
    return fs::equivalent(a, b, ignored) || fs::absolute(a).lexically_normal() == fs::absolute(b).lexically_normal();
}

bool is_regular_or_new(const fs::path& path)
{
    std::error_code ignored;
    return !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
}

// Every report begins so, pretty or in lines.
bool is_report(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string begin(64, '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(file.gcount()));
    begin.erase(std::remove_if(begin.begin(), begin.end(), [](char c) { return c == ' ' || c == '\n' || c == '\r'; }),
                begin.end());
    constexpr std::string_view kBegin = R"({"tool":{"name":"tailfix")";
    return begin.empty() || begin.substr(0, kBegin.size()) == kBegin;
}

std::string lines_of(const std::vector<Outcome>& outcomes)
{
    std::string text;
    for (const auto& outcome : outcomes) text += to_json(outcome.report, outcomes.size() == 1 ? 2 : -1) + '\n';
    return text;
}

} // namespace

void check_report(const Arguments& arguments, const std::vector<Job>& jobs)
{
    const fs::path& report = arguments.report;
    if (report.empty()) return;
    const auto refuse = [&](Failure kind, const std::string& why) {
        throw Error(kind, fmt::format("{}: {}", report.string(), why));
    };
    const bool in_the_way = std::any_of(jobs.begin(), jobs.end(), [&](const Job& job) {
        return is_same_place(report, job.input) || (!job.inspect_only && is_same_place(report, job.output)) ||
               (!job.mesh.empty() && is_same_place(report, job.mesh));
    });
    if (in_the_way) refuse(Failure::Usage, "the report would replace an input or an output");
    std::error_code ignored;
    const fs::path folder = report.has_parent_path() ? report.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) refuse(Failure::Unwritable, "there is no such folder for the report");
    if (fs::is_directory(report, ignored)) refuse(Failure::Unwritable, "the report cannot replace a folder");
    if (fs::is_regular_file(report, ignored) && !is_report(report) && !arguments.force)
        refuse(Failure::Usage, "exists and is no report of an earlier run; --force replaces it");
}

bool write_report(const std::vector<Outcome>& outcomes, const Arguments& arguments)
{
    if (arguments.report.empty()) return true;
    const std::string text = lines_of(outcomes);
    if (!is_regular_or_new(arguments.report)) {
        std::ofstream device(arguments.report, std::ios::binary);
        device << text;
        device.close();
        return static_cast<bool>(device);
    }
    try {
        io::StagedFiles files;
        const io::Bytes bytes = std::as_bytes(std::span(text));
        files.add(arguments.report, {&bytes, 1});
        files.commit();
    } catch (const Error&) {
        return false;
    }
    return true;
}

} // namespace tailfix
