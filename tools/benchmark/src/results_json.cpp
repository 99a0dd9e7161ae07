#include "results_json.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::benchmark {
namespace {

constexpr std::array<std::pair<Expect, const char*>, 3> kExpectNames = {
    {{Expect::Tail, "tail"}, {Expect::None, "none"}, {Expect::OwnTail, "own tail"}}};

const char* expect_name(Expect expect)
{
    for (const auto& [value, name] : kExpectNames)
        if (value == expect) return name;
    return "";
}

Expect parse_expect(const std::string& name)
{
    for (const auto& [value, n] : kExpectNames)
        if (name == n) return value;
    throw Error(Failure::Invalid, fmt::format("\"{}\" is nothing to expect", name));
}

double rounded(double value)
{
    return std::round(value * 1e4) / 1e4;
}

Json figures(const Result& r)
{
    Json json = {{"name", r.name}, {"expect", expect_name(r.expect)}, {"verdict", verdict(r)}};
    if (!r.readable()) {
        json["unreadable"] = r.unreadable;
        return json;
    }
    json["tails"] = r.tails_found;
    if (r.expect == Expect::Tail) {
        json["tails_truth"] = r.tails_truth;
        json["iou"] = rounded(r.iou);
        json["precision"] = rounded(r.precision);
        json["recall"] = rounded(r.recall);
        json["area_iou"] = rounded(r.area_iou);
        if (r.root_error) json["root_error"] = rounded(*r.root_error);
        if (r.attach_right) json["attach_right"] = *r.attach_right;
    }
    if (!r.attach.empty()) json["attach"] = r.attach;
    if (!r.others.empty()) json["others"] = r.others;
    if (!r.why_none.empty()) json["why_none"] = r.why_none;
    if (!r.nearest.empty()) json["nearest"] = r.nearest;
    if (!r.description.is_null()) json["description"] = r.description;
    return json;
}

Json sums(const Totals& t)
{
    Json json = {{"group", t.group}, {"models", t.models}, {"unreadable", t.unreadable}};
    if (t.with_tail > 0) {
        json["with_tail"] = t.with_tail;
        json["found"] = t.found;
        json["mean_iou"] = rounded(t.mean_iou);
        json["least_iou"] = rounded(t.least_iou);
        json["mean_area_iou"] = rounded(t.mean_area_iou);
        json["mean_precision"] = rounded(t.mean_precision);
        json["mean_recall"] = rounded(t.mean_recall);
        json["mean_root_error"] = rounded(t.mean_root_error);
        json["attach_known"] = t.attach_known;
        json["attach_right"] = t.attach_right;
    }
    if (t.without_tail > 0) {
        json["without_tail"] = t.without_tail;
        json["false_tails"] = t.false_tails;
    }
    if (t.own_tail > 0) {
        json["own_tail"] = t.own_tail;
        json["refused"] = t.refused;
    }
    return json;
}

std::string lines(const std::vector<Json>& rows)
{
    std::string out;
    for (const Json& row : rows)
        out +=
            fmt::format("{}\n    {}", out.empty() ? "" : ",", row.dump(-1, ' ', false, Json::error_handler_t::replace));
    return out;
}

Result parse_model(const Json& json)
{
    Result r;
    r.name = json.at("name").get<std::string>();
    r.group = r.name.substr(0, r.name.find('/'));
    r.expect = parse_expect(json.at("expect").get<std::string>());
    r.unreadable = json.value("unreadable", "");
    if (!r.readable()) return r;
    r.tails_found = json.at("tails").get<int>();
    r.refused = json.at("verdict") == "refused";
    if (r.expect == Expect::Tail) r.iou = json.at("iou").get<double>();
    if (json.contains("attach_right")) r.attach_right = json.at("attach_right").get<bool>();
    return r;
}

} // namespace

std::string to_json(const std::vector<Result>& results, const Settings& settings)
{
    std::vector<Json> groups, models;
    for (const Totals& t : totals_of_groups(results)) groups.push_back(sums(t));
    for (const Result& r : results) models.push_back(figures(r));
    return fmt::format("{{\n  \"schema\": {},\n  \"detect\": \"{}\",\n  \"names\": {},\n  \"groups\": [{}\n  ],\n"
                       "  \"models\": [{}\n  ]\n}}\n",
                       kSchema, settings.detect, settings.names, lines(groups), lines(models));
}

Baseline parse_baseline(const Json& json)
{
    try {
        if (const int schema = json.at("schema").get<int>(); schema != kSchema)
            throw Error(Failure::Invalid, fmt::format("the baseline has schema {}, this program {}", schema, kSchema));
        Baseline out;
        out.settings = {json.at("detect").get<std::string>(), json.at("names").get<bool>()};
        for (const Json& model : json.at("models")) out.models.push_back(parse_model(model));
        return out;
    } catch (const Json::exception& error) {
        throw Error(Failure::Invalid, fmt::format("the baseline cannot be used: {}", error.what()));
    }
}

} // namespace tailfix::benchmark
