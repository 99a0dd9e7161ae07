#include "cli/arguments.h"

#include <algorithm>
#include <string_view>

#include "cli/flags.h"

namespace tailfix {
namespace {

constexpr int kUsage = 2;

// What a person types; the rest is in --help-all.
constexpr std::string_view kCommon[] = {"--detect", "--pelvis", "--mode",           "--segments", "--worn",
                                        "--wide",   "--carry",  "--rest-curve",     "--floor",    "--clips",
                                        "--loop",   "--rate",   "--meters-per-unit"};

bool wants(int argc, char** argv, std::string_view flag)
{
    return std::any_of(argv + 1, argv + argc, [&](const char* a) { return a == flag; });
}

void add_stage_flags(CLI::App& app, Options& options)
{
    groups(options, [&](const char* group, auto& part) { fields(part, FlagMaker(app, group)); });
}

// For the short help. Only when it is printed: CLI11 leaves the name of a hidden option out of its messages.
void hide_uncommon(CLI::App& app)
{
    for (CLI::Option* option : app.get_options()) {
        const bool common = std::any_of(std::begin(kCommon), std::end(kCommon),
                                        [&](std::string_view name) { return option->get_name() == name; });
        if (common) option->group("Main options of the method");
        if (!common && option->get_group() != "Options") option->group("");
    }
}

void add_file_flags(CLI::App& app, Arguments& a)
{
    app.add_option(
           "-o,--output", a.output,
           "where to write: a file, or a folder for several inputs (default: NAME.tailfix.EXT beside the input)")
        ->type_name("PATH");
    app.add_flag("--force", a.force, "replace an output that exists");
    app.add_flag("--require-tail", a.require_tail, "finding no tail is an error (exit code 6)");
    app.add_option("--report", a.report,
                   "write a JSON report of what was found and done (JSON Lines for several inputs)")
        ->type_name("FILE");
    app.add_flag("--json", a.json, "print the report on stdout instead of one line per file");
    app.add_option("-j,--jobs", a.options.threads, "threads to use, 0: one per core; results do not depend on it")
        ->check(CLI::Range(0, 1024))
        ->type_name("N");
    app.add_flag("-q,--quiet", a.quiet, "print nothing but results and errors");
    app.add_flag("-v,--verbose", a.verbose, "print how long every stage took, and every test that a piece was put to");
    app.set_config("--config", "", "read options from a TOML file: lines such as carry = 40")->type_name("FILE");
}

} // namespace

Parsed parse_arguments(int argc, char** argv)
{
    Parsed parsed;
    Arguments& a = parsed.arguments;
    CLI::App app{
        "Gives auto-rigged characters a tail that works: finds the tail in a rigged GLB, glTF or VRM file, grows\n"
        "bones along it, rewrites its weights, bakes its motion into every clip, and changes nothing else.",
        "tailfix"};
    app.set_version_flag("--version", "tailfix " TAILFIX_VERSION);
    app.set_help_flag("-h,--help", "print the common options");
    bool unused = false; // looked for before parsing, since it decides which options the help shows
    app.add_flag("--help-all", unused, "print every option of every stage, with its unit, range and default");
    app.allow_config_extras(false);
    app.fallthrough();

    app.add_option("INPUT", a.inputs, "rigged characters: .glb, .gltf or .vrm")->type_name("FILE...");
    add_file_flags(app, a);
    add_stage_flags(app, a.options);
    CLI::App* inspect =
        app.add_subcommand("inspect", "print what would be done and why; write nothing but what --mesh names");
    std::vector<std::filesystem::path> inspected;
    inspect->add_option("INPUT", inspected, "rigged characters")->type_name("FILE...");
    inspect
        ->add_option(
            "--mesh", a.mesh,
            "write a GLB that shows what was found, with a legend in the extras of its nodes: the skin coloured "
            "by distance to the bones, by piece with its collar, by class and by distance along the tail, and "
            "the skeleton; a file, or a folder for several inputs (NAME.inspect.glb in it); --force replaces "
            "one that exists")
        ->type_name("FILE.glb");
    inspect->fallthrough();
    app.footer("Exit codes: 0 done, 1 some of several files failed, 2 usage, 3 input unreadable or invalid, 4 the file "
               "needs a\n"
               "feature this build lacks, 5 output not written, 6 no tail although --require-tail was given.");

    if (wants(argc, argv, "--help-all")) {
        fmt::print("{}", app.help());
        parsed.exit = 0;
        return parsed;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        hide_uncommon(app);
        // CLI11 has codes of its own for every kind of mistake; here they are all one.
        parsed.exit = app.exit(error) == 0 ? 0 : kUsage;
        return parsed;
    }
    a.inspect = inspect->parsed();
    a.inputs.insert(a.inputs.end(), inspected.begin(), inspected.end());
    if (a.inputs.empty()) {
        hide_uncommon(app);
        fmt::print(stderr, "tailfix: no input given\n\n{}", app.help());
        parsed.exit = kUsage;
    }
    return parsed;
}

} // namespace tailfix
