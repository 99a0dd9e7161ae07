#include <tailfix/surface/grown_tails.h>

#include <iterator>
#include <utility>

#include "surface/overlap.h"
#include "surface/own_tail.h"

namespace tailfix {
namespace {

void drop_overlapping(Detection& found, const std::vector<int>& points, double most)
{
    std::vector<Appendage> appendages;
    std::vector<Tail> tails;
    for (std::size_t i = 0; i < found.appendages.size(); ++i) {
        if (overlap(found.appendages[i].points, points) > most) continue;
        appendages.push_back(std::move(found.appendages[i]));
        if (i < found.tails.size()) tails.push_back(std::move(found.tails[i]));
    }
    found.appendages = std::move(appendages);
    found.tails = std::move(tails);
}

} // namespace

Detection with_grown_tails(Detection found, const Character& character, const Roles& roles, const Weld& weld,
                           const std::vector<JointChain>& chains, const DetectOptions& options)
{
    if (chains.empty()) return found;
    std::vector<Appendage> pieces;
    for (const JointChain& chain : chains) {
        pieces.push_back(piece_of_joints(character, roles, weld, chain.links, options));
        pieces.back().reasons.emplace_back("its chain was grown by tailfix: rebaked in place");
        drop_overlapping(found, pieces.back().points, options.overlap);
    }
    found.appendages.insert(found.appendages.begin() + static_cast<std::ptrdiff_t>(found.tails.size()),
                            std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
    if (found.tails.empty() && found.own_tail.empty()) found.why_none = "every tail has a chain that tailfix grew";
    return found;
}

} // namespace tailfix
