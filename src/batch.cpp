#include <tailfix/batch.h>

#include <algorithm>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <tailfix/error.h>
#include <tailfix/io/debug_mesh.h>
#include <tailfix/io/load.h>
#include <tailfix/io/write.h>

#include "step.h"

namespace tailfix {
namespace {

const char* kind_name(Failure kind)
{
    switch (kind) {
    case Failure::Unreadable:
        return "unreadable";
    case Failure::Invalid:
        return "invalid";
    case Failure::Unsupported:
        return "unsupported";
    case Failure::Unwritable:
        return "unwritable";
    case Failure::Usage:
        return "usage";
    }
    return "";
}

void check_output(const Job& job, const std::filesystem::path& output)
{
    std::error_code ignored; // what cannot be looked at cannot be written either, and then the writer says so
    if (std::filesystem::is_directory(output, ignored))
        throw Error(Failure::Unwritable, fmt::format("{}: is a folder", output.string()));
    if (std::filesystem::equivalent(job.input, output, ignored))
        throw Error(Failure::Usage, fmt::format("{}: the output would replace the input", output.string()));
    if (!job.overwrite && std::filesystem::exists(output, ignored))
        throw Error(Failure::Unwritable, fmt::format("{}: exists already; --force replaces it", output.string()));
}

std::vector<Fixed> fix_all(const Loaded& loaded, const Job& job, const Options& options, Steps& step)
{
    std::vector<Fixed> all;
    for (const auto& character : loaded.characters) {
        if (job.inspect_only) {
            Fixed seen;
            seen.found = find(character, options, step);
            seen.world = step("world", find_world, character, seen.found.roles, options.world);
            all.push_back(std::move(seen));
        } else {
            all.push_back(fix(character, options, step));
        }
    }
    return all;
}

void write_result(const Loaded& loaded, const std::vector<Fixed>& all, const Job& job, Report& report)
{
    std::vector<RigEdit> edits;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].changed) edits.push_back({&all[i].rigged, &all[i].clips});
    if (edits.empty()) {
        write_copy(loaded, job.output);
    } else {
        const auto bytes = write_fixed(loaded, edits, job.output);
        std::size_t clip = 0;
        for (const auto& of_rig : bytes)
            for (const std::size_t b : of_rig) report.clips[clip++].bytes = b;
    }
    report.output = job.output.string();
}

// Where the bones of the tails lie or, on inspection, would lie.
std::vector<Centreline> centrelines_of(const Character& character, const Found& found, const Options& options)
{
    std::vector<Centreline> lines;
    for (const auto& chain : fit_chains(found.weld, found.detection.tails, found.roles.height, options.chain))
        lines.push_back({chain.joints, chain.root_radius, chain.attach});
    for (const auto& chain : found.grown) {
        Centreline line{{}, 0, chain.attach};
        for (const int j : chain.links) line.joints.push_back(character.joints[static_cast<std::size_t>(j)].position());
        if (chain.end != kNone) line.joints.push_back(character.joints[static_cast<std::size_t>(chain.end)].position());
        lines.push_back(std::move(line));
    }
    return lines;
}

bool write_mesh(const Loaded& loaded, const std::vector<Fixed>& all, const Job& job, const Options& options)
{
    std::vector<DebugRig> rigs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [roles, weld, detection, grown] = all[i].found;
        const Character& character = loaded.characters[i];
        const auto lines = centrelines_of(character, all[i].found, options);
        rigs.push_back(make_debug_rig({character, roles, weld, detection, all[i].world, lines}, options.detect));
    }
    write_debug_mesh(loaded, rigs, job.mesh);
    return true;
}

// Why the file has no tail, when it has none.
std::string why_no_tail(const Loaded& loaded, const std::vector<Fixed>& all)
{
    if (loaded.characters.empty()) return "the file has no skinned mesh";
    const auto largest = std::max_element(
        loaded.characters.begin(), loaded.characters.end(),
        [](const Character& a, const Character& b) { return a.mesh.vertex_count() < b.mesh.vertex_count(); });
    return all[static_cast<std::size_t>(largest - loaded.characters.begin())].found.detection.why_none;
}

void process(const Job& job, const Options& options, Steps& step, Outcome& outcome)
{
    Report& report = outcome.report;
    const Loaded loaded = step("load", load, job.input);
    report.warnings = loaded.warnings;
    if (!job.inspect_only) check_output(job, job.output);
    if (!job.mesh.empty()) check_output(job, job.mesh);
    const std::vector<Fixed> all = fix_all(loaded, job, options, step);
    bool tail = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        add_rig(report, loaded.characters[i], all[i]);
        tail = tail || all[i].found.has_tail();
    }
    const bool changed = std::any_of(all.begin(), all.end(), [](const Fixed& f) { return f.changed; });
    report.status = tail || changed ? Status::Fixed : Status::NoTail;
    if (!tail) report.reason = why_no_tail(loaded, all);
    if (!job.mesh.empty()) { // before any refusal below: without a tail it is needed most
        step("mesh", write_mesh, loaded, all, job, options);
        report.mesh = job.mesh.string();
    }
    if (!tail && job.require_tail) {
        report.status = Status::Failed;
        report.error = {"no_tail", "detect", "no tail found: " + report.reason};
        outcome.exit = ExitCode::NoTail;
        return;
    }
    if (!job.inspect_only) {
        const auto write = [&report](const Loaded& file, const std::vector<Fixed>& fixed, const Job& to) {
            write_result(file, fixed, to, report);
            return true;
        };
        step("write", write, loaded, all, job);
    }
}

void fail(Outcome& outcome, const char* kind, ExitCode exit, const std::string& stage, const std::string& message)
{
    outcome.report.status = Status::Failed;
    outcome.report.error = {kind, stage, message};
    outcome.exit = exit;
}

} // namespace

ExitCode exit_of(Failure kind)
{
    switch (kind) {
    case Failure::Unreadable:
    case Failure::Invalid:
        return ExitCode::BadInput;
    case Failure::Unsupported:
        return ExitCode::Unsupported;
    case Failure::Unwritable:
        return ExitCode::Unwritable;
    case Failure::Usage:
        return ExitCode::Usage;
    }
    return ExitCode::BadInput;
}

std::filesystem::path default_output(const std::filesystem::path& input)
{
    std::filesystem::path out = input;
    out.replace_extension();
    out += ".tailfix";
    out += input.extension();
    return out;
}

std::filesystem::path default_mesh(const std::filesystem::path& input)
{
    std::filesystem::path out = input;
    out.replace_extension();
    out += ".inspect.glb";
    return out;
}

Outcome run(const Job& job, const Options& options, const std::function<void(std::string_view)>& on_stage)
{
    Outcome outcome;
    outcome.report.input = job.input.string();
    outcome.report.options = options;
    Steps step;
    step.on_start = on_stage;
    try {
        process(job, options, step, outcome);
    } catch (const Error& error) {
        fail(outcome, kind_name(error.kind), exit_of(error.kind), error.stage, error.what());
    } catch (const std::bad_alloc&) {
        fail(outcome, "invalid", ExitCode::BadInput, "", "the file needs more memory than there is");
    }
    outcome.report.timings = step.timings;
    return outcome;
}

} // namespace tailfix
