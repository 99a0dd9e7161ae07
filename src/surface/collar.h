// The skin beside a piece.
#pragma once

#include <vector>

#include <tailfix/surface/weld.h>

namespace tailfix {

// Points that share a triangle with a piece and are not of it; ascending.
std::vector<int> collar_of(const Weld& weld, const std::vector<int>& points);

} // namespace tailfix
