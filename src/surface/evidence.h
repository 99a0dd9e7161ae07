// The tests that decide what is a tail, with their numbers, so that a report can show which of them decided and by how
// much.
#pragma once

#include <string>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/surface/test.h>

namespace tailfix {

// Collects tests. `doubt`: how far beyond the limit a value must lie for there to be no doubt; as far on the other side
// there is none either. `text` is a sentence with {value}, {side} (under or over) and
// {limit}.
// Of S: the doubt about where on the body a root lies; the radius of a thick tail's root.
inline constexpr double kBehindDoubt = 0.1;

class Evidence {
public:
    void at_least(const char* name, double value, double limit, double doubt, const char* text);
    void at_most(const char* name, double value, double limit, double doubt, const char* text);
    // Where there is nothing to measure.
    void require(const char* name, bool holds, std::string text);
    // That no limb ends in the piece; `limb`: the joint of one that does, or kNone.
    void no_limb(const Character& character, int limb);

    double score() const;                            // the least; 1 without tests
    const SectionTest* decisive(double least) const; // the first test under `least`, or nullptr

    std::vector<SectionTest> tests;
};

} // namespace tailfix
