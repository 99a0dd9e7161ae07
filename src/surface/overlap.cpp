#include "surface/overlap.h"

#include <algorithm>
#include <iterator>

namespace tailfix {

double overlap(const std::vector<int>& a, const std::vector<int>& b)
{
    std::vector<int> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    const std::size_t smaller = std::min(a.size(), b.size());
    return smaller == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(smaller);
}

} // namespace tailfix
