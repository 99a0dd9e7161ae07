#include "compare.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tailfix::benchmark {
namespace {

// Compilers and libraries differ in the last bits, which moves a vertex or two at a cut: a coarse tail has 50.
constexpr double kModelIou = 0.005;
constexpr double kMeanIou = 0.001;

struct Changes {
    std::vector<std::string> falls, gains;
};

Changes changes_of(const Result& was, const Result& is)
{
    Changes out;
    const auto fall = [&](const std::string& what) { out.falls.push_back(what); };
    const auto gain = [&](const std::string& what) { out.gains.push_back(what); };
    if (!is.readable() || !was.readable()) {
        if (was.readable()) fall("can no longer be read: " + is.unreadable);
        if (is.readable()) gain("can be read");
        return out;
    }
    if (was.expect != is.expect) {
        fall("its truth is another one; the baseline has to be written again");
        return out;
    }
    if (was.found() && !is.found()) fall("its tail is no longer found");
    if (!was.found() && is.found()) gain("its tail is found");
    if (!was.false_tail() && is.false_tail()) fall("a tail is found where there is none");
    if (was.false_tail() && !is.false_tail()) gain("no false tail is found");
    if (was.refused && !is.refused) fall("its tail's own bones no longer keep it from being changed");
    if (!was.refused && is.refused) gain("it is refused");
    if (was.attach_right == true && is.attach_right != true) fall("the tail hangs from a wrong joint");
    if (was.attach_right == false && is.attach_right == true) gain("the tail hangs from the right joint");
    if (std::abs(is.iou - was.iou) > kModelIou) {
        const auto text = fmt::format("IoU {:.4f}, was {:.4f}", is.iou, was.iou);
        is.iou < was.iou ? fall(text) : gain(text);
    }
    return out;
}

} // namespace

Comparison compare(const std::vector<Result>& baseline, const std::vector<Result>& now)
{
    Comparison out;
    double sum_was = 0, sum_is = 0;
    int tails = 0;
    for (const Result& was : baseline) {
        const auto is = std::find_if(now.begin(), now.end(), [&](const Result& r) { return r.name == was.name; });
        if (is == now.end()) {
            out.absent.push_back(was.name);
            continue;
        }
        ++out.compared;
        const Changes changes = changes_of(was, *is);
        const auto sentence = [&](const std::vector<std::string>& parts) {
            return fmt::format("{}: {}", was.name, fmt::join(parts, "; "));
        };
        if (!changes.falls.empty()) out.falls.push_back(sentence(changes.falls));
        if (!changes.gains.empty()) out.gains.push_back(sentence(changes.gains));
        out.held += changes.falls.empty() ? 1 : 0;
        if (was.expect != Expect::Tail || !was.readable() || !is->readable()) continue;
        sum_was += was.iou;
        sum_is += is->iou;
        ++tails;
    }
    if (tails > 0 && (sum_was - sum_is) / tails > kMeanIou)
        out.falls.push_back(
            fmt::format("mean IoU of {} models: {:.4f}, was {:.4f}", tails, sum_is / tails, sum_was / tails));
    return out;
}

} // namespace tailfix::benchmark
