#include "surface/evidence.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tailfix {
namespace {

SectionTest measured(const char* name, double value, double limit, double margin, const char* text)
{
    return {name,
            value,
            limit,
            margin >= 0,
            std::clamp(0.5 + 0.5 * margin, 0.0, 1.0),
            fmt::format(fmt::runtime(text), fmt::arg("value", value), fmt::arg("limit", limit),
                        fmt::arg("side", value < limit ? "under" : "over"))};
}

} // namespace

void Evidence::at_least(const char* name, double value, double limit, double doubt, const char* text)
{
    tests.push_back(measured(name, value, limit, (value - limit) / doubt, text));
}

void Evidence::at_most(const char* name, double value, double limit, double doubt, const char* text)
{
    tests.push_back(measured(name, value, limit, (limit - value) / doubt, text));
}

void Evidence::require(const char* name, bool holds, std::string text)
{
    tests.push_back({name, holds ? 0.0 : 1.0, 0, holds, holds ? 1.0 : 0.0, std::move(text)});
}

void Evidence::no_limb(const Character& character, int limb)
{
    require("not a limb", limb == kNone,
            limb == kNone ? "no limb ends in it"
                          : fmt::format("it is the skin around the end of a limb (\"{}\")",
                                        character.joints[static_cast<std::size_t>(limb)].name));
}

double Evidence::score() const
{
    double least = 1;
    for (const auto& test : tests) least = std::min(least, test.score);
    return least;
}

const SectionTest* Evidence::decisive(double least) const
{
    const auto under = [&](const SectionTest& test) { return test.score < least; };
    const auto found = std::find_if(tests.begin(), tests.end(), under);
    return found == tests.end() ? nullptr : &*found;
}

} // namespace tailfix
