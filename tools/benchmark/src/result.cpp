#include "result.h"

#include <algorithm>

namespace tailfix::benchmark {
namespace {

// Of the truth README: less is a find of something else that touches the tail.
constexpr double kFoundIou = 0.3;

void add_tail(Totals& out, const Result& r)
{
    out.least_iou = out.with_tail == 0 ? r.iou : std::min(out.least_iou, r.iou);
    ++out.with_tail;
    out.found += r.found() ? 1 : 0;
    out.mean_iou += r.iou;
    out.mean_area_iou += r.area_iou;
    out.mean_precision += r.precision;
    out.mean_recall += r.recall;
    if (r.root_error) {
        out.mean_root_error += *r.root_error;
        ++out.rooted;
    }
    if (r.attach_right) {
        ++out.attach_known;
        out.attach_right += *r.attach_right ? 1 : 0;
    }
}

} // namespace

bool Result::found() const
{
    return expect == Expect::Tail && iou > kFoundIou;
}

const char* verdict(const Result& result)
{
    if (!result.readable()) return "unreadable";
    switch (result.expect) {
    case Expect::Tail:
        return result.found() ? "found" : "missed";
    case Expect::None:
        return result.false_tail() ? "false tail" : "none";
    case Expect::OwnTail:
        return result.refused ? "refused" : "not refused";
    }
    return "";
}

Totals total(const std::string& name, const std::vector<Result>& results)
{
    Totals out;
    out.group = name;
    for (const Result& r : results) {
        ++out.models;
        if (!r.readable()) {
            ++out.unreadable;
        } else if (r.expect == Expect::Tail) {
            add_tail(out, r);
        } else if (r.expect == Expect::None) {
            ++out.without_tail;
            out.false_tails += r.false_tail() ? 1 : 0;
        } else {
            ++out.own_tail;
            out.refused += r.refused ? 1 : 0;
        }
    }
    const double n = std::max(1, out.with_tail);
    for (double* mean : {&out.mean_iou, &out.mean_area_iou, &out.mean_precision, &out.mean_recall}) *mean /= n;
    out.mean_root_error /= std::max(1, out.rooted);
    return out;
}

std::vector<Totals> totals_of_groups(const std::vector<Result>& results)
{
    std::vector<std::string> groups;
    for (const Result& r : results)
        if (std::find(groups.begin(), groups.end(), r.group) == groups.end()) groups.push_back(r.group);
    std::vector<Totals> out;
    for (const auto& group : groups) {
        std::vector<Result> some;
        std::copy_if(results.begin(), results.end(), std::back_inserter(some),
                     [&](const Result& r) { return r.group == group; });
        out.push_back(total(group, some));
    }
    if (groups.size() > 1) out.push_back(total("all", results));
    return out;
}

} // namespace tailfix::benchmark
