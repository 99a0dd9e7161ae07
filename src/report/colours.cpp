// The colours of debug_scene.h.
#include <algorithm>
#include <array>
#include <cmath>

#include <tailfix/report/debug_scene.h>

namespace tailfix {
namespace {

std::uint8_t channel(double share)
{
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0)));
}

// Fully saturated colours of one hue (degrees), as HSV defines them.
Colour from_hsv(double hue, double saturation, double value)
{
    const auto part = [&](double shift) {
        const double k = std::fmod(shift + hue / 60, 6);
        return value - value * saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    };
    return {channel(part(5)), channel(part(3)), channel(part(1))};
}

} // namespace

Colour viridis(double t)
{
    // Every eighth of the map; straight lines between them stay within 2% of it.
    constexpr std::array<Colour, 9> kKnots{{{68, 1, 84},
                                            {71, 44, 122},
                                            {59, 81, 139},
                                            {44, 113, 142},
                                            {33, 144, 141},
                                            {39, 173, 129},
                                            {92, 200, 99},
                                            {170, 220, 50},
                                            {253, 231, 37}}};
    const double at = std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0) * (kKnots.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), kKnots.size() - 2);
    const double f = at - static_cast<double>(i);
    const auto mix = [f](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround((1 - f) * a + f * b));
    };
    const Colour &a = kKnots[i], &b = kKnots[i + 1];
    return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

Colour field_colour(double share)
{
    constexpr double kNear = 0.5, kFar = 0.75; // where the two parts of the map end and begin
    if (share < 1) return viridis(kNear * share);
    return viridis(kFar + (1 - kFar) * (share - 1) / (kFarthestShown - 1));
}

Colour class_colour(AppendageClass kind)
{
    // After M. Okabe and K. Ito's palette, which colour-blind people tell apart too.
    switch (kind) {
    case AppendageClass::Tail:
        return {213, 94, 0}; // vermilion
    case AppendageClass::Worn:
        return {0, 114, 178}; // blue
    case AppendageClass::Wide:
        return {86, 180, 233}; // sky
    case AppendageClass::Head:
        return {0, 158, 115}; // green
    case AppendageClass::Limb:
        return {240, 228, 66}; // yellow
    case AppendageClass::Body:
        break;
    }
    return {204, 121, 167}; // purple: considered, and found to be body
}

Colour piece_colour(std::size_t n)
{
    // Hues a golden angle apart never meet; every other round is darker or paler, since neighbours in hue return after
    // a few.
    constexpr double kGoldenAngle = 137.508;
    constexpr std::array<std::array<double, 2>, 3> kRounds{{{0.85, 0.95}, {0.55, 0.95}, {0.9, 0.6}}};
    const auto& [saturation, value] = kRounds[n / 5 % kRounds.size()];
    return from_hsv(std::fmod(20 + kGoldenAngle * static_cast<double>(n), 360), saturation, value);
}

} // namespace tailfix
