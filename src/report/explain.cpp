#include "report/explain.h"

#include <algorithm>
#include <string_view>

namespace tailfix {
namespace {

// The name of what decides where a person or the rig does, and nothing is left to measure.
SectionTest stated(const char* name, bool passed, std::string text)
{
    return {name, passed ? 0.0 : 1.0, 0, passed, passed ? 1.0 : 0.0, std::move(text)};
}

// Reasons name the test that failed behind these words.
std::string without_prefix(const std::string& reason)
{
    constexpr std::string_view kPrefix = "no tail: ";
    return reason.starts_with(kPrefix) ? reason.substr(kPrefix.size()) : reason;
}

// The first from `first` on that is under the limit; their number where none is.
std::size_t first_failed(const std::vector<SectionTest>& tests, std::size_t first, double least_score)
{
    std::size_t i = first;
    while (i < tests.size() && tests[i].score >= least_score) ++i;
    return i;
}

// What came nearest to refusing a tail. Where a person pointed at it, that is all there is to it.
std::size_t weakest(const std::vector<SectionTest>& tests)
{
    const auto hint = std::find_if(tests.begin(), tests.end(), [](const auto& t) { return t.name == "tail-at"; });
    const auto least =
        std::min_element(tests.begin(), tests.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
    return static_cast<std::size_t>((hint != tests.end() ? hint : least) - tests.begin());
}

} // namespace

Explanation explain(const Appendage& piece, double least_score)
{
    Explanation out;
    out.accepted = piece.kind == AppendageClass::Tail && piece.found_by != "joints";
    const std::string last = piece.reasons.empty() ? "" : without_prefix(piece.reasons.back());
    if (piece.found_by == "joints") {
        out.tests = {stated("no bones of its own", false, last)};
        return out;
    }
    out.tests = piece.class_tests;
    const std::size_t of_class = out.tests.size();
    out.tests.insert(out.tests.end(), piece.tests.begin(), piece.tests.end());
    if (out.tests.empty()) out.tests = {stated(out.accepted ? "sections" : "no tail", out.accepted, last)};
    if (out.accepted) {
        out.decided = weakest(out.tests);
    } else if (piece.tests.empty()) {
        out.decided = std::min(piece.class_decided, out.tests.size() - 1);
    } else {
        out.decided = first_failed(out.tests, of_class, least_score);
        // It passed them all, and what else there is outranks it.
        if (out.decided == out.tests.size()) out.tests.push_back(stated("no other tail", false, last));
    }
    return out;
}

Explanation explain(const SectionCandidate& candidate, double least_score)
{
    Explanation out;
    out.accepted = candidate.is_tail;
    out.tests = candidate.tests;
    if (out.tests.empty()) {
        out.tests = {stated("reaches the body", false, candidate.why_not)};
        return out;
    }
    out.decided = out.accepted ? weakest(out.tests) : first_failed(out.tests, 0, least_score);
    if (out.decided == out.tests.size()) out.tests.push_back(stated("no other tail", false, candidate.why_not));
    return out;
}

} // namespace tailfix
