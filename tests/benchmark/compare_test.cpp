// What counts as worse than a baseline, and that a baseline survives being written and read.
#include <algorithm>
#include <tuple>

#include <tailfix/error.h>

#include "benchmark/src/arguments.h"
#include "benchmark/src/compare.h"
#include "benchmark/src/markdown.h"
#include "benchmark/src/results_json.h"
#include "support/catch.h"

using namespace tailfix;
using namespace tailfix::benchmark;

namespace {

Result tail(const std::string& name, double iou)
{
    Result r;
    r.group = name.substr(0, name.find('/'));
    r.name = name;
    r.expect = Expect::Tail;
    r.tails_found = r.tails_truth = 1;
    r.iou = iou;
    r.attach = {"Hips"};
    r.attach_right = true;
    return r;
}

Result without(const std::string& name, int tails)
{
    Result r;
    r.group = name.substr(0, name.find('/'));
    r.name = name;
    r.tails_found = tails;
    return r;
}

Result own_tail(const std::string& name, bool refused)
{
    Result r = without(name, 0);
    r.expect = Expect::OwnTail;
    r.refused = refused;
    return r;
}

std::vector<Result> all_well()
{
    return {tail("a/fox", 0.9), tail("a/cat", 0.8), without("b/human", 0), own_tail("c/rat", true)};
}

} // namespace

TEST_CASE("Nothing is worse than itself", "[benchmark]")
{
    const auto c = compare(all_well(), all_well());
    CHECK(c.holds());
    CHECK(c.compared == 4);
    CHECK(c.gains.empty());
}

TEST_CASE("Each way of getting worse is named with its model", "[benchmark]")
{
    auto now = all_well();
    std::string name, word;
    SECTION("no longer found")
    {
        now[0].iou = 0.3;
        std::tie(name, word) = std::pair("a/fox", "no longer found");
    }
    SECTION("false tail")
    {
        now[2].tails_found = 1;
        std::tie(name, word) = std::pair("b/human", "where there is none");
    }
    SECTION("refusal lost")
    {
        now[3].refused = false;
        std::tie(name, word) = std::pair("c/rat", "own bones");
    }
    SECTION("wrong joint")
    {
        now[1].attach_right = false;
        std::tie(name, word) = std::pair("a/cat", "wrong joint");
    }
    SECTION("no joint any more")
    {
        now[1].attach_right.reset();
        std::tie(name, word) = std::pair("a/cat", "wrong joint");
    }
    SECTION("lower IoU of one model")
    {
        now[1].iou = 0.7949;
        std::tie(name, word) = std::pair("a/cat", "IoU 0.7949, was 0.8000");
    }
    SECTION("lower mean IoU, no model by much")
    {
        now[0].iou -= 0.002;
        now[1].iou -= 0.002;
        std::tie(name, word) = std::pair("mean IoU", "0.8480, was 0.8500");
    }
    SECTION("no longer read")
    {
        now[1].unreadable = "it is compressed";
        std::tie(name, word) = std::pair("a/cat", "it is compressed");
    }
    const auto c = compare(all_well(), now);
    CHECK_FALSE(c.holds());
    REQUIRE_FALSE(c.falls.empty());
    CHECK(c.held == (name == "mean IoU" ? 4 : 3));
    CHECK(c.falls.front().find(name) == 0);
    CHECK(c.falls.front().find(word) != std::string::npos);
}

TEST_CASE("A change within the tolerance holds", "[benchmark]")
{
    auto now = all_well();
    now[0].iou -= 0.0049;
    now[1].iou += 0.0049;
    CHECK(compare(all_well(), now).holds());
}

TEST_CASE("Models that are absent are named; without any there is nothing that holds", "[benchmark]")
{
    const auto some = compare(all_well(), {tail("a/fox", 0.9), tail("z/new", 0.1)});
    CHECK(some.holds());
    CHECK(some.absent == std::vector<std::string>{"a/cat", "b/human", "c/rat"});
    CHECK_FALSE(compare(all_well(), {tail("z/new", 0.9)}).holds());
}

TEST_CASE("A baseline that is written and read compares as the results did", "[benchmark]")
{
    auto results = all_well();
    results.push_back(tail("a/broken", 0));
    results.back().unreadable = "it is \"compressed\"";
    results[1].attach_right = false;
    const auto baseline = parse_baseline(Json::parse(to_json(results, {"sections", false})));
    CHECK(baseline.settings.detect == "sections");
    CHECK_FALSE(baseline.settings.names);
    const auto c = compare(baseline.models, results);
    CHECK(c.holds());
    CHECK(c.gains.empty());
    CHECK(c.compared == 5);
    CHECK_THROWS_AS(parse_baseline(Json::parse(R"({"schema": 0})")), Error);
    CHECK_THROWS_AS(parse_baseline(Json::parse(R"({"models": []})")), Error);
}

TEST_CASE("Totals count each kind of model apart, and leave out what was not read", "[benchmark]")
{
    auto results = all_well();
    results.push_back(tail("a/broken", 0));
    results.back().unreadable = "it is compressed";
    results.push_back(tail("a/lost", 0.1));
    results.push_back(without("b/elf", 2));
    results.push_back(own_tail("c/dog", false));
    const auto totals = totals_of_groups(results);
    REQUIRE(totals.size() == 4);
    CHECK(totals[0].group == "a");
    CHECK(totals[0].models == 4);
    CHECK(totals[0].unreadable == 1);
    CHECK(totals[0].with_tail == 3);
    CHECK(totals[0].found == 2);
    CHECK(totals[0].mean_iou == Approx(0.6));
    CHECK(totals[0].least_iou == Approx(0.1));
    CHECK(totals[1].false_tails == 1);
    CHECK(totals[1].without_tail == 2);
    CHECK(totals[2].refused == 1);
    CHECK(totals[2].own_tail == 2);
    CHECK(totals[3].models == 8);
}

TEST_CASE("A table is aligned, its figures to the right, and a bar in a name does not end its cell", "[benchmark]")
{
    CHECK(to_markdown(Table{{"Model", "IoU"}, {{"a|b", "0.5"}, {"häse", "-"}}}) == "| Model | IoU |\n"
                                                                                   "| ----- | --: |\n"
                                                                                   "| a\\|b  | 0.5 |\n"
                                                                                   "| häse  |   - |\n");
}

TEST_CASE("Generated characters are broken down by what they are like", "[benchmark]")
{
    std::vector<Result> results;
    for (int i = 0; i < 20; ++i) {
        results.push_back(tail("g/" + std::to_string(i), i < 10 ? 1.0 : 0.5));
        results.back().description = {{"seed", std::to_string(i)},
                                      {"body", i < 10 ? "chibi" : "slender"},
                                      {"length", 0.1 * i},
                                      {"decoys", i < 10 ? Json::array() : Json::array({"skirt", "skirt"})}};
    }
    const auto rows = table_of_descriptions(results).rows;
    const std::vector<std::string> chibi = {"body", "chibi", "10/10", "1.000", "1.000", "-"};
    const std::vector<std::string> skirt = {"decoys", "skirt", "10/10", "0.500", "0.500", "-"};
    const std::vector<std::string> first_bin = {"length", "to 0.4", "5/5", "1.000", "1.000", "-"};
    CHECK(std::count(rows.begin(), rows.end(), chibi) == 1);
    CHECK(std::count(rows.begin(), rows.end(), skirt) == 1);
    CHECK(std::count(rows.begin(), rows.end(), first_bin) == 1);
    CHECK(rows.size() == 2 + 2 + 4); // a seed is no kind of character
}

TEST_CASE("The command line is read, and refused where it makes no sense", "[benchmark]")
{
    const auto a = parse_arguments({"models", "--generated", "3..12", "-j", "2", "--no-names", "--detect", "article"});
    CHECK(a.folders == std::vector<std::filesystem::path>{"models"});
    CHECK(a.seeds == std::pair(3, 12));
    CHECK(a.jobs == 2);
    CHECK_FALSE(a.names);
    CHECK(a.detect == "article");
    const std::vector<std::vector<std::string>> wrong = {
        {"--generated", "5"}, {"--generated", "5..3"}, {"--detect", "all"}, {"-j", "x"}, {"--json"}, {"--unknown"}};
    for (const auto& words : wrong) CHECK_THROWS_AS(parse_arguments(words), Error);
}
