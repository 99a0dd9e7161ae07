// Which test decided about a piece or a candidate, and all that it was put to.
#pragma once

#include <string>
#include <vector>

#include <tailfix/surface/classify.h>
#include <tailfix/surface/sections.h>

namespace tailfix {

struct Explanation {
    std::vector<SectionTest> tests; // of its class, then of whether it is a tail; at least one
    std::size_t decided = 0;        // of a refusal the first that failed, of a tail the one that it passed by least
    bool accepted = false;

    const SectionTest& decisive() const { return tests[decided]; }
};

// `least_score`: SectionOptions::least_score, under which a test fails.
Explanation explain(const Appendage& piece, double least_score);
Explanation explain(const SectionCandidate& candidate, double least_score);

} // namespace tailfix
