// A test that a piece of skin was put to: what was measured, what was asked for, and by how much it was passed or
// missed.
#pragma once

#include <string>

namespace tailfix {

struct SectionTest {
    std::string name;
    double value = 0;
    double limit = 0;
    bool passed = false;
    double score = 0; // 0.5 at the limit, towards 1 where it is passed beyond doubt, towards 0 where it is failed so
    std::string text; // a sentence with the numbers, for a person
};

} // namespace tailfix
