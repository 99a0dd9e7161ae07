#include <tailfix/rig/rigid.h>

#include <cstddef>
#include <map>

#include "surface/union_find.h"

namespace tailfix {

SkinWeights bind_rigidly(const SkinWeights& weights, const std::vector<int>& points, int joint)
{
    SkinWeights both;
    auto kept = weights.points.begin();
    for (const int p : points) {
        while (kept != weights.points.end() && kept->point < p) both.points.push_back(*kept++);
        if (kept != weights.points.end() && kept->point == p) continue;
        both.points.push_back({p, {{joint, 1.0}}});
    }
    both.points.insert(both.points.end(), kept, weights.points.end());
    return both;
}

std::vector<int> rigid_points(const Weld& weld, const std::vector<std::vector<int>>& pieces)
{
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const int count = static_cast<int>(weld.points.size());
    UnionFind shells(count);
    for (const auto& t : weld.triangles) {
        shells.unite(t[0], t[1]);
        shells.unite(t[1], t[2]);
    }
    std::vector<int> of_shell(weld.points.size(), 0), given_of_shell(weld.points.size(), 0);
    std::vector<bool> given(weld.points.size(), false), rigid(weld.points.size(), false);
    for (int p = 0; p < count; ++p) ++of_shell[at(shells.find(p))];
    for (const auto& piece : pieces) {
        std::map<int, std::size_t> in_shell;
        for (const int p : piece) {
            ++in_shell[shells.find(p)];
            if (!given[at(p)]) ++given_of_shell[at(shells.find(p))];
            given[at(p)] = true;
        }
        for (const int p : piece)
            if (2 * in_shell[shells.find(p)] > piece.size()) rigid[at(p)] = true;
    }
    std::vector<int> out;
    for (int p = 0; p < count; ++p) {
        const int shell = shells.find(p);
        if (rigid[at(p)] || 2 * given_of_shell[at(shell)] > of_shell[at(shell)]) out.push_back(p);
    }
    return out;
}

} // namespace tailfix
