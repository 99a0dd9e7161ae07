// How a stage declares its options: once.
//
// Every options struct has defaults and a free function `fields(Options&, Visit&&)` that names each field with its
// range, unit and help. From that one list come the command line's flags, the range checks of a library caller, the
// config file and the echo in the report. A visitor is called as
//
//     visit(name, value, Range{min, max}, unit, help)        double and int
//     visit(name, value, help)                               bool (on | off) and std::string
//     visit(name, value, Choices{...}, help)                 an enumeration
//     visit(name, value, Words{...}, Range, unit, help)      a number, or one of a few words
//
// `name` is the flag without its dashes and is unique over all stages.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace tailfix {

struct Range {
    double min = 0;
    double max = 0;
};

// The names of an enumeration's values, in the order of the enumeration.
struct Choices {
    std::vector<std::string> names;
};

// The words that an option takes in place of a number.
struct Words {
    std::vector<std::string> words;
};

// A number, or one of a few words that stand for a rule ("auto", "none").
struct WordOr {
    std::string word;  // empty: the number counts
    double number = 0; // used when word is empty

    static WordOr of(const char* w) { return {w, 0}; }
    bool is(const char* w) const { return word == w; }
};

} // namespace tailfix
