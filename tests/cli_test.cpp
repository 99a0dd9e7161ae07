// The real program: what it says, where it says it, and with which exit code. Files: cli_files_test.cpp.
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "support/catch.h"
#include "support/character_gltf.h"
#include "support/program.h"

#include <tailfix/pipeline.h>

using namespace tailfix;
using namespace tailfix::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

using Arguments = std::vector<std::string>;

// A folder with strip.glb, which is a character without a tail.
struct Desk {
    TemporaryFolder folder;

    Desk() { folder.put("strip.glb", skinned_strip().glb()); }
    ProgramRun run(const Arguments& arguments) const { return run_tailfix(folder.path(), arguments); }
    Json report(Arguments arguments) const
    {
        arguments.insert(arguments.end(), {"inspect", "strip.glb", "--json"});
        const ProgramRun ran = run(arguments);
        INFO(ran.err);
        REQUIRE(ran.exit == 0);
        return Json::parse(ran.out);
    }
    bool untouched() const { return everything_in(folder.path()) == Arguments{"strip.glb"}; }
};

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The options of the method in --help-all: by name, what stands on its line and on those that continue it.
std::map<std::string, std::string> options_in(const std::string& help)
{
    std::map<std::string, std::string> out;
    std::string group, name;
    for (const auto& line : lines_of(help)) {
        std::smatch match;
        if (std::regex_match(line, match, std::regex("(\\w[^:]*):"))) {
            group = match[1];
        } else if (group != "Options" && std::regex_search(line, match, std::regex("^  --([a-z-]+) "))) {
            name = match[1];
            out[name] = line;
        } else if (!name.empty() && line.rfind("      ", 0) == 0) {
            out[name] += line;
        } else {
            name.clear();
        }
    }
    return out;
}

// Everything declared in fields(), by name: a value that is not the default, as typed on the command line and as the
// report has to echo it.
struct OtherValues {
    std::map<std::string, std::pair<std::string, Json>>& out;

    // Near the default: an end of a range may be a surface of millions of points.
    void operator()(const char* name, double& value, Range range, const char*, const char*) const
    {
        const double larger = value == 0 ? 0.5 : value + std::abs(value) / 8;
        const double other = larger <= range.max ? larger : value - (value - range.min) / 8;
        out[name] = {Json(other).dump(), other};
    }
    void operator()(const char* name, int& value, Range, const char*, const char*) const
    {
        out[name] = {std::to_string(value + 1), value + 1};
    }
    void operator()(const char* name, bool& value, const char*) const
    {
        out[name] = {value ? "off" : "on", value ? "off" : "on"};
    }
    void operator()(const char* name, std::string&, const char*) const
    {
        const std::string some = std::string(name) == "tail-at" ? "0,0.1,0" : "Hips";
        out[name] = {some, some};
    }
    void operator()(const char* name, WordOr&, const Words&, Range, const char*, const char*) const
    {
        out[name] = {"0.75", 0.75};
    }
    template <class Enum>
    void operator()(const char* name, Enum& value, const Choices& choices, const char*) const
    {
        const std::string& other = choices.names[static_cast<std::size_t>(value) == 0 ? 1 : 0];
        out[name] = {other, other};
    }
};

std::map<std::string, std::pair<std::string, Json>> other_values()
{
    std::map<std::string, std::pair<std::string, Json>> out;
    Options options;
    groups(options, [&](const char*, auto& part) { fields(part, OtherValues{out}); });
    return out;
}

} // namespace

TEST_CASE("help goes to stdout and is short, unless all of it is asked for", "[cli]")
{
    const Desk desk;
    const ProgramRun help = desk.run({GENERATE("--help", "-h")});
    CHECK(help.exit == 0);
    CHECK(help.err.empty());
    CHECK_THAT(help.out, Contains("Usage: tailfix") && Contains("--output") && Contains("--help-all"));
    CHECK_THAT(help.out, Contains("Exit codes: 0 done"));
    CHECK_THAT(help.out, !Contains("--sections-step"));
    CHECK(lines_of(help.out).size() < 80);
}

TEST_CASE("--help-all gives every option with its unit, range or choices, and its default", "[cli][options]")
{
    const Desk desk;
    const ProgramRun help = desk.run({"--help-all"});
    CHECK(help.exit == 0);
    CHECK(help.err.empty());
    const auto shown = options_in(help.out);
    const Json echoed = desk.report({})["options"];
    CHECK(shown.size() == echoed.size());
    for (const auto& [name, value] : echoed.items()) {
        INFO("--" << name);
        REQUIRE(shown.count(name) == 1);
        const std::string& text = shown.at(name);
        // A number has its unit and range, a choice its words, and either its default; of a text, "" is none.
        std::smatch match;
        const bool number = std::regex_search(
            text, match, std::regex("^  --[a-z-]+ ([^ ].*) \\[[-0-9.e+]+\\.\\.[-0-9.e+]+\\]=([-a-z0-9.]+)( |$)"));
        const bool choice =
            !number && std::regex_search(text, match, std::regex("^  --[a-z-]+ (\\w+(?:\\|\\w+)+):.*=(\\w+)( |$)"));
        const bool any_text =
            !number && !choice && std::regex_search(text, match, std::regex("^  --[a-z-]+ (TEXT)=?([^ ]*) "));
        CHECK((number || choice || any_text));
        if (value.is_number())
            CHECK(std::stod(match[2]) == Approx(value.get<double>()).epsilon(1e-5));
        else
            CHECK(match[2] == value.get<std::string>());
        CHECK(text.size() > 40); // and says what it is
    }
}

TEST_CASE("every option can be given on the command line, and the report echoes it", "[cli][options]")
{
    const Desk desk;
    const auto given = other_values();
    CHECK(given.size() == options_in(desk.run({"--help-all"}).out).size());
    Arguments arguments;
    for (const auto& [name, value] : given) arguments.insert(arguments.end(), {"--" + name, value.first});
    const Json echoed = desk.report(arguments)["options"];
    const Json defaults = desk.report({})["options"];
    CHECK(echoed.size() == given.size());
    for (const auto& [name, value] : given) {
        INFO("--" << name << " " << value.first);
        CHECK(echoed.value(name, Json()) != defaults.value(name, Json()));
        if (value.second.is_number())
            CHECK(echoed[name].get<double>() == Approx(value.second.get<double>()).epsilon(1e-8).margin(1e-12));
        else
            CHECK(echoed.value(name, Json()) == value.second);
    }
}

TEST_CASE("the version is printed", "[cli]")
{
    const Desk desk;
    const ProgramRun run = desk.run({"--version"});
    CHECK(run.exit == 0);
    CHECK(run.out == "tailfix " TAILFIX_VERSION "\n");
}

TEST_CASE("a wrong request is exit code 2, names what is wrong, and does nothing", "[cli]")
{
    const Desk desk;
    struct Wrong {
        Arguments arguments;
        std::string named; // what the message has to name
    };
    const auto [arguments, named] = GENERATE(values<Wrong>({
        {{"strip.glb", "--no-such-flag"}, "--no-such-flag"},
        {{"strip.glb", "--rate", "0"}, "--rate: 0 is not in [1..1000]"},
        {{"strip.glb", "--rate", "1001"}, "--rate: 1001 is not in [1..1000]"},
        {{"strip.glb", "--rate", "nan"}, "--rate: nan is not in [1..1000]"},
        {{"strip.glb", "--rate", "fast"}, "--rate"},
        {{"strip.glb", "--rate"}, "--rate"},
        {{"strip.glb", "--segments", "65"}, "--segments: 65 is not in [0..64]"},
        {{"strip.glb", "--segments", "2.5"}, "--segments"},
        {{"strip.glb", "--rest-curve", "1.5"}, "--rest-curve: 1.5 is not in [0..1]"},
        {{"strip.glb", "--floor", "sky"}, "--floor: \"sky\" is neither auto nor none nor a number"},
        {{"strip.glb", "--floor", "nan"}, "--floor: nan is not in"},
        {{"strip.glb", "--detect", "guess"}, "--detect: guess not in {both,sections,article}"},
        {{"strip.glb", "--skin-limit", "maybe"}, "--skin-limit: maybe not in {on,off}"},
        {{"strip.glb", "--length-percentile", "49"}, "--length-percentile: 49 is not in [50..100]"},
        {{"strip.glb", "--jobs", "-1"}, "--jobs"},
        {{"strip.glb", "--min-segments", "5", "--max-segments", "4"}, "min-segments 5 is over max-segments 4"},
        {{"strip.glb", "--pelvis", "Nobody"}, "--pelvis \"Nobody\": no joint of the rig has this name"},
        {{"strip.glb", "--config", "missing.toml"}, "missing.toml"},
        {Arguments{}, "no input given"},
        {{"inspect"}, "no input given"},
        {{"--force"}, "no input given"},
    }));
    const ProgramRun run = desk.run(arguments);
    INFO(Json(arguments).dump() << "\n" << run.err);
    CHECK(run.exit == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Contains(named));
    CHECK(desk.untouched());
}

TEST_CASE("options can stand in a TOML file; the command line wins", "[cli][options]")
{
    const Desk desk;
    desk.folder.put("house.toml", std::string_view("# for this game\ncarry = 42.5\nfloor = \"none\"\nsegments = 7\n"
                                                   "detect = \"article\"\nfront-plane = \"off\"\n"));
    const Json options = desk.report({"--config", "house.toml", "--segments", "6"})["options"];
    CHECK(options["carry"] == 42.5);
    CHECK(options["floor"] == "none");
    CHECK(options["detect"] == "article");
    CHECK(options["front-plane"] == "off");
    CHECK(options["segments"] == 6);
    CHECK(options["rate"] == 30);
}

TEST_CASE("every option can stand in the TOML file", "[cli][options]")
{
    const Desk desk;
    std::string toml;
    const auto given = other_values();
    for (const auto& [name, value] : given)
        toml += name + " = " + (value.second.is_string() ? value.second.dump() : value.first) + "\n";
    desk.folder.put("all.toml", std::string_view(toml));
    const Json defaults = desk.report({})["options"];
    const Json written = desk.report({"--config", "all.toml"})["options"];
    for (const auto& [name, value] : written.items()) {
        INFO(name);
        CHECK(value != defaults[name]);
    }
}

TEST_CASE("a TOML file with an unknown key or a value out of range is exit code 2", "[cli]")
{
    const Desk desk;
    const auto [text, named] =
        GENERATE(table<std::string, std::string>({{"carry = 30\ncarrry = 40\n", "carrry"},
                                                  {"carry = 300\n", "--carry: 300 is not in [0..180]"},
                                                  {"floor = \"sky\"\n", "sky"}}));
    desk.folder.put("house.toml", std::string_view(text));
    const ProgramRun run = desk.run({"strip.glb", "--config", "house.toml"});
    CHECK(run.exit == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Contains(named));
    CHECK(everything_in(desk.folder.path()) == Arguments{"house.toml", "strip.glb"});
}

TEST_CASE("stdout holds one line per file, and the rest is on stderr", "[cli]")
{
    const Desk desk;
    desk.folder.put("cat.glb", cat_gltf().glb());
    SECTION("one file: a summary for a person besides")
    {
        const ProgramRun run = desk.run({"cat.glb"});
        CHECK(run.exit == 0);
        CHECK(std::regex_match(
            run.out, std::regex("cat\\.glb: 1 tail, \\d+ joints, 1 clips, \\d+ ms -> cat\\.tailfix\\.glb\n")));
        CHECK_THAT(run.err, Contains("tail  on Hips") && Contains("skin stretch"));
        CHECK(run.err.find('\x1b') == std::string::npos); // no colour and no progress bar: stderr is a file
    }
    SECTION("-q: only that line")
    {
        const ProgramRun run = desk.run({"cat.glb", "-q"});
        CHECK(run.exit == 0);
        CHECK(lines_of(run.out).size() == 1);
        CHECK(run.err.empty());
    }
    SECTION("-q still tells of errors")
    {
        const ProgramRun run = desk.run({"missing.glb", "-q"});
        CHECK(run.exit == 3);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, Contains("missing.glb"));
    }
    SECTION("-v: every stage and how long it took")
    {
        const ProgramRun run = desk.run({"cat.glb", "-v"});
        CHECK(lines_of(run.out).size() == 1);
        for (const char* stage : {"load", "roles", "weld", "detect", "chain", "weights", "wear", "rig", "world", "rest",
                                  "floor", "bake", "measure", "write"})
            CHECK(std::regex_search(run.err, std::regex(std::string("(^|\n)") + stage + " +[0-9.]+ ms")));
    }
    SECTION("several files")
    {
        const ProgramRun run = desk.run({"cat.glb", "strip.glb"});
        REQUIRE(lines_of(run.out).size() == 2);
        CHECK_THAT(lines_of(run.out)[0], Contains("cat.glb: 1 tail"));
        CHECK_THAT(lines_of(run.out)[1], Contains("strip.glb: no tail") && Contains("copied to strip.tailfix.glb"));
    }
}

TEST_CASE("--json puts the report on stdout and nothing else", "[cli][report]")
{
    const Desk desk;
    const ProgramRun one = desk.run({"strip.glb", "--json"});
    CHECK(one.exit == 0);
    const Json report = Json::parse(one.out); // throws on anything before or after it
    CHECK(report["input"] == "strip.glb");
    CHECK(report["output"] == "strip.tailfix.glb");
    CHECK(report["status"] == "no_tail");

    const ProgramRun several = desk.run({"strip.glb", "missing.glb", "--json", "--force"});
    const auto lines = lines_of(several.out);
    REQUIRE(lines.size() == 2);
    CHECK(Json::parse(lines[0])["status"] == "no_tail");
    const Json failed = Json::parse(lines[1]);
    CHECK(failed["status"] == "failed");
    CHECK(failed["output"] == nullptr);
    CHECK(failed["error"]["kind"] == "unreadable");
    CHECK(failed["error"]["stage"] == "load");
    CHECK_THAT(several.err, Contains("missing.glb"));
}
