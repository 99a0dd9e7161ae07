#include "report/explain.h"

#include <algorithm>

#include "support/catch.h"
#include "support/characters.h"

#include <tailfix/surface/detect.h>

using namespace tailfix;
using namespace tailfix::support;
using Catch::Matchers::Contains;

namespace {

SectionTest test_of(const char* name, double score)
{
    return {name, 1, 2, score >= 0.5, score, std::string(name) + " with its numbers"};
}

SectionCandidate candidate_of(std::vector<SectionTest> tests, bool is_tail, std::string why_not = "")
{
    SectionCandidate out;
    out.tests = std::move(tests);
    out.is_tail = is_tail;
    out.why_not = std::move(why_not);
    return out;
}

Detection detect(const Character& character, const DetectOptions& options = {})
{
    const Roles roles = find_roles(character);
    return detect_tails(character, roles, weld_vertices(character.mesh), options);
}

// A cat without a tail, and these things on it.
Detection with_shells(std::vector<Capsule> shells)
{
    CatOptions options;
    options.tail.clear();
    options.shells = std::move(shells);
    return detect(make_cat(options).character);
}

const Appendage& piece_of(const Detection& found, AppendageClass kind)
{
    const auto at = std::find_if(found.appendages.begin(), found.appendages.end(),
                                 [&](const Appendage& a) { return a.kind == kind && a.found_by == "article"; });
    std::string seen;
    for (const auto& a : found.appendages) seen += std::string(class_name(a.kind)) + " by " + a.found_by + " ";
    INFO(seen);
    REQUIRE(at != found.appendages.end());
    return *at;
}

} // namespace

TEST_CASE("a candidate is refused by its first test under the limit", "[explain]")
{
    const auto candidate =
        candidate_of({test_of("length", 0.9), test_of("middle", 0.3), test_of("behind", 0.1)}, false, "middle");
    CHECK(explain(candidate, 0.5).decisive().name == "middle");
    CHECK(explain(candidate, 0.95).decisive().name == "length"); // --no-detect-below: passed, but not clearly enough
    CHECK_FALSE(explain(candidate, 0.5).accepted);
    CHECK(explain(candidate, 0.5).tests.size() == 3);
}

TEST_CASE("a tail is decided by the test that it passes by least", "[explain]")
{
    const auto tail = candidate_of({test_of("length", 0.9), test_of("middle", 0.6), test_of("behind", 0.7)}, true);
    CHECK(explain(tail, 0.5).decisive().name == "middle");
    CHECK(explain(tail, 0.5).accepted);
    const auto hinted = candidate_of({test_of("tail-at", 1), test_of("middle", 0.1)}, true);
    CHECK(explain(hinted, 0.5).decisive().name == "tail-at");
}

TEST_CASE("what no test refused has a reason that stands among the tests", "[explain]")
{
    const auto second = explain(candidate_of({test_of("length", 0.9)}, false, "it is part of a longer tail"), 0.5);
    CHECK(second.decisive().name == "no other tail");
    CHECK(second.decisive().text == "it is part of a longer tail");
    CHECK_FALSE(second.decisive().passed);
    CHECK(second.tests.size() == 2);
    const auto open = explain(candidate_of({}, false, "its sections never come to enclose the skeleton"), 0.5);
    CHECK(open.decisive().name == "reaches the body");
    CHECK_FALSE(open.decisive().passed);
}

TEST_CASE("a class is explained by the rule that gave it, with its numbers", "[explain]")
{
    SECTION("a quiver: long, but on the spine")
    {
        const auto found = with_shells({{{0.06, 1.05, -0.28}, {-0.06, 1.35, -0.28}, 0.05}});
        const Explanation why = explain(piece_of(found, AppendageClass::Worn), 0.5);
        CHECK(why.decisive().name == "on the pelvis");
        CHECK_FALSE(why.decisive().passed);
        CHECK(why.tests.at(2).name == "long");
        CHECK(why.tests.at(2).passed);
        CHECK(why.tests.at(2).value > why.tests.at(2).limit);
    }
    SECTION("a bag: on the torso, but not long")
    {
        const auto found = with_shells({{{0, 1.3, -0.3}, {0, 1.31, -0.3}, 0.08}});
        const Explanation why = explain(piece_of(found, AppendageClass::Wide), 0.5);
        CHECK(why.decisive().name == "long");
        CHECK(why.decisive().value < why.decisive().limit);
        CHECK_THAT(why.decisive().text, Contains("below 1.8"));
    }
    SECTION("an ear: on the head")
    {
        const auto found = with_shells({{{0.1, 1.75, 0}, {0.2, 2.1, 0}, 0.04}});
        const Explanation why = explain(piece_of(found, AppendageClass::Head), 0.5);
        CHECK(why.decisive().name == "on the torso");
        CHECK_THAT(why.decisive().text, Contains("head or neck"));
    }
}

TEST_CASE("every piece and every candidate names a test of its own that decided", "[explain]")
{
    CatOptions options;
    options.shells = {{{0.05, 1.25, -0.3}, {-0.1, 1.55, -0.3}, 0.05}, {{0.1, 1.75, 0}, {0.2, 2.1, 0}, 0.04}};
    const auto method = GENERATE(DetectMethod::Both, DetectMethod::Sections, DetectMethod::Article);
    DetectOptions detection;
    detection.method = method;
    const Detection found = detect(make_cat(options).character, detection);
    REQUIRE_FALSE(found.tails.empty());
    for (std::size_t i = 0; i < found.appendages.size(); ++i) {
        const Explanation why = explain(found.appendages[i], detection.sections.least_score);
        CHECK(why.accepted == (i < found.tails.size()));
        REQUIRE(why.decided < why.tests.size());
        CHECK(why.decisive().passed == why.accepted);
        CHECK_FALSE(why.decisive().text.empty());
    }
    for (const auto& candidate : found.candidates) {
        const Explanation why = explain(candidate, detection.sections.least_score);
        CHECK(why.accepted == candidate.is_tail);
        CHECK(why.decisive().passed == candidate.is_tail);
        if (!candidate.is_tail) CHECK(why.decisive().text == candidate.why_not);
    }
}

TEST_CASE("a tail with bones is refused for them", "[explain]")
{
    Appendage piece;
    piece.kind = AppendageClass::Tail;
    piece.found_by = "joints";
    piece.reasons = {"it already has bones: \"Tail\""};
    const Explanation why = explain(piece, 0.5);
    CHECK_FALSE(why.accepted);
    CHECK(why.decisive().name == "no bones of its own");
    CHECK(why.decisive().text == piece.reasons.front());
}
