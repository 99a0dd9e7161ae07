#include "surface/collar.h"

namespace tailfix {

std::vector<int> collar_of(const Weld& weld, const std::vector<int>& points)
{
    std::vector<bool> inside(weld.points.size(), false), beside(weld.points.size(), false);
    for (const int p : points) inside[static_cast<std::size_t>(p)] = true;
    for (const auto& t : weld.triangles) {
        const bool touches = inside[static_cast<std::size_t>(t[0])] || inside[static_cast<std::size_t>(t[1])] ||
                             inside[static_cast<std::size_t>(t[2])];
        if (!touches) continue;
        for (int k = 0; k < 3; ++k)
            if (!inside[static_cast<std::size_t>(t[k])]) beside[static_cast<std::size_t>(t[k])] = true;
    }
    std::vector<int> collar;
    for (std::size_t p = 0; p < beside.size(); ++p)
        if (beside[p]) collar.push_back(static_cast<int>(p));
    return collar;
}

} // namespace tailfix
