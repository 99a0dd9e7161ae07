// Turns the fields() list of an options struct into command-line flags.
#pragma once

#include <algorithm>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tailfix/options.h>

namespace tailfix {

class FlagMaker {
public:
    FlagMaker(CLI::App& app, std::string group) : app_(app), group_(std::move(group)) {}

    void operator()(const char* name, double& value, Range range, const char* unit, const char* help)
    {
        add_number(name, value, range, unit, help);
    }

    void operator()(const char* name, int& value, Range range, const char* unit, const char* help)
    {
        add_number(name, value, range, unit, help);
    }

    void operator()(const char* name, bool& value, const char* help)
    {
        auto set = [&value](const std::string& word) { value = word == "on"; };
        app_.add_option_function<std::string>(flag(name), set, help)
            ->check(CLI::IsMember({"on", "off"}))
            ->type_name("on|off")
            ->default_str(value ? "on" : "off")
            ->group(group_);
    }

    void operator()(const char* name, std::string& value, const char* help)
    {
        app_.add_option(flag(name), value, help)->type_name("TEXT")->capture_default_str()->group(group_);
    }

    template <class Enum>
    void operator()(const char* name, Enum& value, const Choices& choices, const char* help)
    {
        auto set = [&value, choices](const std::string& word) {
            const auto at = std::find(choices.names.begin(), choices.names.end(), word);
            value = static_cast<Enum>(at - choices.names.begin());
        };
        app_.add_option_function<std::string>(flag(name), set, help)
            ->check(CLI::IsMember(choices.names))
            ->type_name(fmt::format("{}", fmt::join(choices.names, "|")))
            ->default_str(choices.names[static_cast<std::size_t>(value)])
            ->group(group_);
    }

    void operator()(const char* name, WordOr& value, const Words& words, Range range, const char* unit,
                    const char* help)
    {
        auto parse = [words, range](std::string& text) -> std::string {
            if (std::find(words.words.begin(), words.words.end(), text) != words.words.end()) return {};
            double number = 0;
            if (!CLI::detail::lexical_cast(text, number))
                return fmt::format("\"{}\" is neither {} nor a number", text, fmt::join(words.words, " nor "));
            return number >= range.min && number <= range.max
                       ? std::string{}
                       : fmt::format("{} is not in [{}..{}]", text, range.min, range.max);
        };
        auto set = [&value, words](const std::string& text) {
            value = {};
            if (std::find(words.words.begin(), words.words.end(), text) != words.words.end()) {
                value.word = text;
            } else {
                CLI::detail::lexical_cast(text, value.number);
            }
        };
        app_.add_option_function<std::string>(flag(name), set, help)
            ->check(CLI::Validator(parse, ""))
            ->type_name(fmt::format("{}|{} [{}..{}]", fmt::join(words.words, "|"), unit_or(unit), range.min, range.max))
            ->default_str(value.word.empty() ? fmt::format("{}", value.number) : value.word)
            ->group(group_);
    }

private:
    template <class Number>
    void add_number(const char* name, Number& value, Range range, const char* unit, const char* help)
    {
        app_.add_option(flag(name), value, help)
            ->check(bounded(range))
            ->type_name(fmt::format("{} [{}..{}]", unit_or(unit), range.min, range.max))
            ->capture_default_str()
            ->group(group_);
    }

    static std::string flag(const char* name) { return std::string("--") + name; }
    static std::string unit_or(const char* unit) { return *unit == '\0' ? "NUMBER" : unit; }

    // Written out because CLI11's own range lets "nan" through.
    static CLI::Validator bounded(Range range)
    {
        return {[range](std::string& text) -> std::string {
                    double number = 0;
                    if (!CLI::detail::lexical_cast(text, number)) return fmt::format("\"{}\" is not a number", text);
                    return number >= range.min && number <= range.max
                               ? std::string{}
                               : fmt::format("{} is not in [{}..{}]", text, range.min, range.max);
                },
                ""};
    }

    CLI::App& app_;
    std::string group_;
};

} // namespace tailfix
