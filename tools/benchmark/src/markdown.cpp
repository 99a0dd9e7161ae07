#include "markdown.h"

#include <algorithm>

#include <fmt/format.h>

namespace tailfix::benchmark {
namespace {

constexpr std::size_t kManyModels = 60; // more than fit on a page; then only the failures are listed

bool is_figure(const std::string& cell)
{
    return cell.empty() || cell == "-" || cell.find_first_not_of("0123456789.-/ ") == std::string::npos;
}

// Bytes that begin a character: names may hold any.
std::size_t width_of(const std::string& cell)
{
    return static_cast<std::size_t>(
        std::count_if(cell.begin(), cell.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string escaped(std::string cell)
{
    for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) cell.insert(at, "\\");
    return cell;
}

std::string row(const std::vector<std::string>& cells, const std::vector<std::size_t>& width,
                const std::vector<bool>& right)
{
    std::string out = "|";
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const std::string space(width[c] - width_of(cells[c]), ' ');
        out += right[c] ? " " + space + cells[c] + " |" : " " + cells[c] + space + " |";
    }
    return out + "\n";
}

std::string share(int part, int whole)
{
    return whole == 0 ? "-" : fmt::format("{}/{}", part, whole);
}

std::string figure(double value, bool known, int digits = 3)
{
    return known ? fmt::format("{:.{}f}", value, digits) : "-";
}

std::string joined(const std::vector<std::string>& words)
{
    return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

std::string others(const Result& r)
{
    std::vector<std::string> words;
    for (const auto& [kind, count] : r.others) words.push_back(fmt::format("{} {}", count, kind));
    return joined(words);
}

std::string attachment(const Result& r)
{
    std::string out = joined(r.attach);
    if (r.attach_right == false) out += " (wrong)";
    return out;
}

std::string why_failed(const Result& r)
{
    if (!r.readable()) return r.unreadable;
    if (r.expect == Expect::None) return fmt::format("{} on {}", r.tails_found, joined(r.attach));
    std::string out = r.why_none;
    if (!r.nearest.empty()) out += (out.empty() ? "" : "; ") + ("the nearest piece: " + r.nearest);
    if (r.tails_found > 0) out = fmt::format("found something else, IoU {:.2f}. ", r.iou) + out;
    return out;
}

bool failed(const Result& r)
{
    return !r.readable() || (r.expect == Expect::Tail && !r.found()) || r.false_tail() ||
           (r.expect == Expect::OwnTail && !r.refused);
}

} // namespace

std::string to_markdown(const Table& table)
{
    const std::size_t columns = table.head.size();
    std::vector<std::size_t> width(columns);
    std::vector<bool> right(columns, true);
    std::vector<std::vector<std::string>> rows = table.rows;
    for (std::size_t c = 0; c < columns; ++c) {
        width[c] = std::max<std::size_t>(3, width_of(table.head[c]));
        for (auto& cells : rows) {
            cells[c] = escaped(cells[c]);
            width[c] = std::max(width[c], width_of(cells[c]));
            right[c] = right[c] && is_figure(cells[c]);
        }
    }
    std::string out = row(table.head, width, right) + "|";
    for (std::size_t c = 0; c < columns; ++c)
        out += right[c] ? " " + std::string(width[c] - 1, '-') + ": |" : " " + std::string(width[c], '-') + " |";
    out += "\n";
    for (const auto& cells : rows) out += row(cells, width, right);
    return out;
}

Table table_of_totals(const std::vector<Totals>& totals)
{
    Table table{{"Models", "Found", "Mean IoU", "Least IoU", "By area", "Precision", "Recall", "Attachment",
                 "Root error", "False tails", "Own tail refused", "Unreadable"},
                {}};
    for (const Totals& t : totals) {
        const bool tails = t.with_tail > 0;
        table.rows.push_back(
            {t.group, share(t.found, t.with_tail), figure(t.mean_iou, tails), figure(t.least_iou, tails),
             figure(t.mean_area_iou, tails), figure(t.mean_precision, tails), figure(t.mean_recall, tails),
             share(t.attach_right, t.attach_known), figure(t.mean_root_error, t.rooted > 0, 4),
             share(t.false_tails, t.without_tail), share(t.refused, t.own_tail), share(t.unreadable, t.models)});
    }
    return table;
}

Table table_of_models(const std::vector<Result>& results, bool with_seconds)
{
    Table table{{"Model", "Result", "Tails", "IoU", "By area", "Precision", "Recall", "Attached to", "Root error",
                 "Other pieces"},
                {}};
    if (with_seconds) table.head.push_back("Seconds");
    for (const Result& r : results) {
        const bool tail = r.readable() && r.expect == Expect::Tail;
        std::vector<std::string> cells = {r.name,
                                          verdict(r),
                                          r.readable() ? fmt::format("{}/{}", r.tails_found, r.tails_truth) : "-",
                                          figure(r.iou, tail),
                                          figure(r.area_iou, tail),
                                          figure(r.precision, tail),
                                          figure(r.recall, tail),
                                          attachment(r),
                                          figure(r.root_error.value_or(0), r.root_error.has_value(), 4),
                                          others(r)};
        if (with_seconds) cells.push_back(figure(r.seconds, r.readable(), 2));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string list_of_failures(const std::vector<Result>& results)
{
    std::string out;
    for (const Result& r : results) {
        if (!failed(r)) continue;
        out += fmt::format("* {}, {}: {}\n", r.name, verdict(r), why_failed(r));
        if (!r.description.is_null())
            out += fmt::format("  {}\n", r.description.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    return out;
}

std::string to_markdown(const std::vector<Result>& results, bool with_seconds)
{
    std::string out = to_markdown(table_of_totals(totals_of_groups(results)));
    if (results.size() <= kManyModels) out += "\n" + to_markdown(table_of_models(results, with_seconds));
    const Table descriptions = table_of_descriptions(results);
    if (!descriptions.rows.empty()) out += "\n" + to_markdown(descriptions);
    const std::string failures = list_of_failures(results);
    if (!failures.empty()) out += "\nMissed, false, or not read:\n\n" + failures;
    return out;
}

} // namespace tailfix::benchmark
