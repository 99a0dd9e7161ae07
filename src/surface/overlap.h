// How much of their skin two pieces share.
#pragma once

#include <vector>

namespace tailfix {

// Shared points, of the smaller of the two (both ascending).
double overlap(const std::vector<int>& a, const std::vector<int>& b);

} // namespace tailfix
