// The smooth ramp of the method: 0 up to `low`, 1 from `high` on, between them 3 t^2 - 2 t^3.
#pragma once

#include <algorithm>

namespace tailfix {

inline double smoothstep(double low, double high, double x)
{
    if (high <= low) return x >= high ? 1 : 0;
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

} // namespace tailfix
