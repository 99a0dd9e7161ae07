// The breakdown of generated characters by what they are like.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "markdown.h"

namespace tailfix::benchmark {
namespace {

constexpr std::size_t kFewNumbers = 8; // as many different ones are a choice, more are a range
constexpr std::size_t kBins = 4;

bool is_scalar(const Json& json)
{
    return json.is_string() || json.is_number() || json.is_boolean();
}

std::string word(const Json& json)
{
    return json.is_string() ? json.get<std::string>() : json.dump();
}

// Ascending upper bounds of bins of equal count; empty where the values are few, or no numbers.
std::vector<double> bins_of(const std::vector<Result>& results, const std::string& key)
{
    std::vector<double> values;
    for (const Result& r : results) {
        if (!r.description.contains(key)) continue;
        if (!r.description.at(key).is_number()) return {};
        values.push_back(r.description.at(key).get<double>());
    }
    std::sort(values.begin(), values.end());
    if (std::set<double>(values.begin(), values.end()).size() <= kFewNumbers) return {};
    std::vector<double> bounds;
    for (std::size_t b = 1; b <= kBins; ++b) bounds.push_back(values[b * values.size() / kBins - 1]);
    return bounds;
}

// The values of a key that a character counts under: (sort key, text).
std::vector<std::pair<int, std::string>> values_of(const Json& value, const std::vector<double>& bins)
{
    if (!bins.empty()) {
        const auto bin = std::lower_bound(bins.begin(), bins.end() - 1, value.get<double>()) - bins.begin();
        return {{static_cast<int>(bin), fmt::format("to {:.4g}", bins[static_cast<std::size_t>(bin)])}};
    }
    std::vector<std::pair<int, std::string>> out;
    if (is_scalar(value)) {
        out.emplace_back(0, word(value));
    } else if (value.is_array()) {
        std::set<std::string> words; // two of a kind are one case
        for (const Json& item : value)
            if (is_scalar(item)) words.insert(word(item));
        for (const auto& w : words) out.emplace_back(0, w);
        if (value.empty()) out.emplace_back(0, "none");
    }
    return out;
}

} // namespace

Table table_of_descriptions(const std::vector<Result>& results)
{
    Table table{{"Key", "Value", "Found", "Mean IoU", "Least IoU", "False tails"}, {}};
    std::vector<std::string> keys;
    for (const Result& r : results)
        for (const auto& item : r.description.items())
            if (std::find(keys.begin(), keys.end(), item.key()) == keys.end()) keys.push_back(item.key());
    for (const auto& key : keys) {
        const auto bins = bins_of(results, key);
        std::map<std::pair<int, std::string>, std::vector<Result>> groups;
        for (const Result& r : results) {
            if (!r.description.contains(key)) continue;
            for (const auto& value : values_of(r.description.at(key), bins)) groups[value].push_back(r);
        }
        // A key with another value for every character (a name, a seed) says nothing.
        if (groups.size() * 2 > results.size() && results.size() > 4) continue;
        for (const auto& [value, some] : groups) {
            const Totals t = total(value.second, some);
            const auto figure = [&](double f) { return t.with_tail == 0 ? "-" : fmt::format("{:.3f}", f); };
            table.rows.push_back({key, value.second,
                                  t.with_tail == 0 ? "-" : fmt::format("{}/{}", t.found, t.with_tail),
                                  figure(t.mean_iou), figure(t.least_iou),
                                  t.without_tail == 0 ? "-" : fmt::format("{}/{}", t.false_tails, t.without_tail)});
        }
    }
    return table;
}

} // namespace tailfix::benchmark
