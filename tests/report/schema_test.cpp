// Holds the report to data/report.schema.json, and the schema to what it claims to guard.
#include <tailfix/report/report.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "support/catch.h"
#include "support/character_gltf.h"
#include "support/json_schema.h"
#include "support/program.h"

using namespace tailfix;
using namespace tailfix::test;
namespace fs = std::filesystem;

namespace {

const fs::path kData = fs::path(TAILFIX_SOURCE_DIR) / "data";

const Json& schema()
{
    static const Json parsed = Json::parse(std::ifstream(kData / "report.schema.json"));
    return parsed;
}

std::string violations(const Json& report)
{
    std::string all;
    for (const auto& line : schema_violations(schema(), report)) all += line + "\n";
    return all;
}

// The reports of one run over what can happen to a file: the fox fixed, the cat fixed, no tail, no skin, broken,
// missing.
const std::vector<Json>& reports()
{
    static const std::vector<Json> all = [] {
        const TemporaryFolder folder;
        fs::copy_file(kData / "fox.glb", folder / "fox.glb");
        folder.put("cat.glb", cat_gltf().glb());
        folder.put("strip.glb", skinned_strip().glb());
        folder.put("no-skin.gltf", std::string_view(R"({"asset": {"version": "2.0"}})"));
        folder.put("broken.glb", std::string_view("glTF, or so it says"));
        const ProgramRun run = run_tailfix(
            folder.path(), {"--json", "fox.glb", "cat.glb", "strip.glb", "no-skin.gltf", "broken.glb", "missing.glb"});
        return parse_reports(run.out);
    }();
    return all;
}

std::vector<std::string> statuses()
{
    std::vector<std::string> out;
    for (const Json& report : reports()) out.push_back(report.at("status"));
    return out;
}

// Every value of an object anywhere in a report, by JSON pointer.
void collect(const Json& value, const Json::json_pointer& at, std::vector<Json::json_pointer>& out)
{
    if (value.is_object())
        for (const auto& [name, below] : value.items()) {
            out.push_back(at / name);
            collect(below, at / name, out);
        }
    if (value.is_array())
        for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, out);
}

std::vector<Json::json_pointer> names_in(const Json& report)
{
    std::vector<Json::json_pointer> out;
    collect(report, Json::json_pointer(), out);
    return out;
}

// Names that may be missing: what was not measured, or is not the case.
bool may_be_missing(const Json::json_pointer& name, const std::string& status)
{
    static const std::set<std::string> optional = {"chain", "stretch", "grounding", "bone_distance"};
    if (name.to_string() == "/model") return status != "fixed";
    if (name.to_string() == "/reason") return status != "no_tail";
    return optional.count(name.back()) != 0 || name.parent_pointer().to_string() == "/timings_ms";
}

// One clip, one appendage and one candidate are enough to spoil, with one test each.
Json shortened(Json report)
{
    for (const char* list : {"clips", "appendages", "candidates"}) {
        while (report[list].size() > 1) report[list].erase(1);
        for (Json& entry : report[list])
            while (entry.contains("tests") && entry["tests"].size() > 1) entry["tests"].erase(1);
    }
    return report;
}

} // namespace

TEST_CASE("every report the program writes fits the schema", "[report][schema]")
{
    REQUIRE(statuses() == std::vector<std::string>{"fixed", "fixed", "no_tail", "no_tail", "failed", "failed"});
    for (const Json& report : reports()) {
        INFO(report["input"]);
        CHECK(violations(report).empty());
    }
    // What only a fixed file has, and so what the other tests here can spoil.
    const Json& fox = reports().front();
    CHECK(fox["clips"].size() == 6);
    CHECK(fox["appendages"][0].contains("chain"));
    CHECK(fox["candidates"].size() > 1);
    CHECK(fox["clips"][0].contains("grounding"));
}

TEST_CASE("a report on inspection, on a refusal and with other options fits the schema", "[report][schema]")
{
    const TemporaryFolder folder;
    folder.put("cat.glb", cat_gltf().glb());
    folder.put("strip.glb", skinned_strip().glb());
    REQUIRE(run_tailfix(folder.path(), {"cat.glb", "-q", "-o", "fixed.glb"}).exit == 0);
    const auto arguments = GENERATE(
        std::vector<std::string>{"inspect", "cat.glb"}, std::vector<std::string>{"cat.glb", "--mode", "rigid"},
        std::vector<std::string>{"cat.glb", "--floor", "0.5", "--rest-curve", "1"},
        std::vector<std::string>{"cat.glb", "--clips", "none of them"},
        std::vector<std::string>{"fixed.glb", "--carry", "20"}, std::vector<std::string>{"strip.glb", "--require-tail"},
        std::vector<std::string>{"strip.glb", "--pelvis", "no such joint"},
        std::vector<std::string>{"strip.glb", "-o", "strip.glb"});
    std::vector<std::string> with_json = arguments;
    with_json.emplace_back("--json");
    const ProgramRun run = run_tailfix(folder.path(), with_json);
    INFO(arguments.front() << " " << arguments[1] << "\n" << run.out << run.err);
    const auto written = parse_reports(run.out);
    REQUIRE(written.size() == 1);
    CHECK(violations(written[0]).empty());
}

TEST_CASE("the schema notices a name that is missing, new or renamed, and a value of another type", "[report][schema]")
{
    REQUIRE(reports().size() == 6);
    const Json report = shortened(reports()[GENERATE(0u, 2u, 4u)]); // fixed, no tail, failed
    REQUIRE(violations(report).empty());
    for (const auto& name : names_in(report)) {
        INFO(report["status"] << " " << name.to_string());
        Json changed = report;
        const Json value = report.at(name);
        changed.at(name.parent_pointer()).erase(name.back());
        CHECK(violations(changed).empty() == may_be_missing(name, report["status"]));

        changed.at(name.parent_pointer())[name.back() + "_"] = value;
        CHECK_FALSE(violations(changed).empty());

        // No name is text in one report and a list in another.
        changed = report;
        changed.at(name) = value.is_array() ? Json("text") : Json::array({1.5});
        CHECK_FALSE(violations(changed).empty());
        changed.at(name) = nullptr;
        CHECK(violations(changed).empty() == (name.to_string() == "/output" || name.back() == "appendage"));
        changed.at(name) = true;
        CHECK(violations(changed).empty() == value.is_boolean());
    }
}

TEST_CASE("the schema notices numbers and words out of range", "[report][schema]")
{
    REQUIRE_FALSE(reports().empty());
    Json report = reports().front();
    const auto [where, value] = GENERATE(table<std::string, Json>({{"/status", "done"},
                                                                   {"/model/height", -1},
                                                                   {"/model/joints", 1.5},
                                                                   {"/model/up", {0, 1}},
                                                                   {"/model/up", {0, 1, 0, 0}},
                                                                   {"/appendages/0/class", "ear"},
                                                                   {"/clips/0/kind", "looped"},
                                                                   {"/clips/0/stretch/after/torn_percent", 101},
                                                                   {"/options/rate", 0},
                                                                   {"/options/floor", "sky"},
                                                                   {"/options/floor", 2e6}}));
    INFO(where);
    report.at(Json::json_pointer(where)) = value;
    CHECK_FALSE(violations(report).empty());
}

namespace {

// What the schema has to say about one option, without its description.
struct Expected {
    std::vector<std::pair<std::string, Json>>& out;

    static Json limits(const char* type, Range range)
    {
        return {{"type", type}, {"minimum", range.min}, {"maximum", range.max}};
    }
    void add(const char* name, const Json& rule, const char* unit, const std::string& help) const
    {
        Json whole = rule;
        whole["description"] = *unit == '\0' ? help : unit + (": " + help);
        out.emplace_back(name, whole);
    }
    void operator()(const char* name, double&, Range range, const char* unit, const char* help) const
    {
        add(name, limits("number", range), unit, help);
    }
    void operator()(const char* name, int&, Range range, const char* unit, const char* help) const
    {
        add(name, limits("integer", range), unit, help);
    }
    void operator()(const char* name, bool&, const char* help) const { add(name, {{"enum", {"on", "off"}}}, "", help); }
    void operator()(const char* name, std::string&, const char* help) const
    {
        add(name, {{"type", "string"}}, "", help);
    }
    void operator()(const char* name, WordOr&, const Words& words, Range range, const char* unit,
                    const char* help) const
    {
        add(name, {{"anyOf", {{{"enum", words.words}}, limits("number", range)}}}, unit, help);
    }
    template <class Enum>
    void operator()(const char* name, Enum&, const Choices& choices, const char* help) const
    {
        add(name, {{"enum", choices.names}}, "", help);
    }
};

} // namespace

TEST_CASE("the schema gives every option as its stage declares it, and no other", "[report][schema][options]")
{
    Options options;
    std::vector<std::pair<std::string, Json>> expected;
    groups(options, [&](const char*, auto& part) { fields(part, Expected{expected}); });
    const Json& written = schema()["$defs"]["options"];
    std::vector<std::string> names;
    for (const auto& [name, rule] : expected) {
        names.push_back(name);
        INFO("data/report.schema.json, $defs/options/properties, has to say\n        \"" << name
                                                                                         << "\": " << rule.dump());
        CHECK(written["properties"].value(name, Json()) == rule);
    }
    INFO("data/report.schema.json, $defs/options: the names under \"properties\" and \"required\" have to be these, in "
         "the order of --help-all");
    std::vector<std::string> listed;
    for (const auto& [name, rule] : written["properties"].items()) listed.push_back(name);
    CHECK(listed == names);
    CHECK(written["required"].get<std::vector<std::string>>() == names);
}

TEST_CASE("a stage that ran for several rigs is reported with the time of all", "[report][schema]")
{
    Report report;
    report.reason = "nothing there";
    report.timings = {{"load", 1}, {"roles", 2}, {"weld", 3}, {"roles", 4}};
    const Json written = Json::parse(to_json(report));
    CHECK(written["timings_ms"] == Json({{"load", 1.0}, {"roles", 6.0}, {"weld", 3.0}}));
    CHECK(violations(written).empty());
}

TEST_CASE("the validator refuses what it does not know", "[report][schema]")
{
    CHECK_THROWS(schema_violations({{"pattern", "a+"}}, "b"));
    CHECK_THROWS(schema_violations({{"type", "decimal"}}, 1));
    CHECK_THROWS(schema_violations({{"additionalProperties", true}}, Json::object()));
    CHECK(schema_violations({{"type", "integer"}}, 1.0).empty());
    CHECK(schema_violations({{"type", "integer"}}, 1.5).size() == 1);
    CHECK(schema_violations({{"type", {"string", "null"}}}, nullptr).empty());
    CHECK(schema_violations({{"type", "integer"}}, true).size() == 1);
}
