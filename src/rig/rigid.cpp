#include <tailfix/rig/rigid.h>

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

} // namespace tailfix
