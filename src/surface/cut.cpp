#include "surface/cut.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace tailfix {
namespace {

constexpr double kTipOpens = 0.8; // local diameters: a section nearer to the tip than this is the tip itself opening

double diameter(const Section& section)
{
    return section.perimeter / std::numbers::pi;
}

// Growth of the perimeter from section i to `window` diameters further on.
double flare(const std::vector<Section>& sections, std::size_t i, double window, double step)
{
    const Section& here = sections[i];
    if (!(here.perimeter > 0)) return 1;
    const double at = (here.s + window * diameter(here)) / step - 1;
    const auto below =
        static_cast<std::size_t>(std::clamp(std::floor(at), 0.0, static_cast<double>(sections.size() - 1)));
    const std::size_t above = std::min(below + 1, sections.size() - 1);
    const double f = std::clamp(at - static_cast<double>(below), 0.0, 1.0);
    return ((1 - f) * sections[below].perimeter + f * sections[above].perimeter) / here.perimeter;
}

// Where a value that section i - 1 has not and section i has reached crosses its limit: between the two, so that a cut
// does not move by a whole step when the tip moves by a little.
double crossing(const std::vector<Section>& sections, std::size_t i, double before, double here, double limit,
                double step)
{
    const double share = here != before ? std::clamp((limit - before) / (here - before), 0.0, 1.0) : 1.0;
    return sections[i].s - (1 - share) * step;
}

// From the body entry on, the first place where the skeleton is as near as the limit.
double body_crossing(const std::vector<Section>& sections, std::size_t entry, double limit, double step)
{
    std::size_t i = entry;
    while (i + 1 < sections.size() && sections[i].q() >= limit) ++i;
    while (i > 0 && sections[i - 1].q() < limit) --i;
    return i == 0 ? sections[0].s : crossing(sections, i, sections[i - 1].q(), sections[i].q(), limit, step);
}

struct Onset {
    std::size_t section = 0;
    double s = 0;
};

// Walks down from the body entry: the onset is the lowest steep section before a run of gentle ones longer than one
// local diameter. So tufts, clubs and bushy middles, whose flares are followed by such a run, are passed over.
std::optional<Onset> find_onset(const Profile& profile, double limit, double window, double step)
{
    const auto& sections = profile.sections;
    const auto entry = static_cast<std::size_t>(profile.body_entry);
    const auto steepness = [&](std::size_t i) { return flare(sections, i, window, step); };
    std::optional<Onset> onset;
    double gentle_from = sections[entry].s;
    for (std::size_t i = entry + 1; i-- > 0;) {
        const Section& section = sections[i];
        if (steepness(i) >= limit) {
            gentle_from = section.s;
            if (section.s >= kTipOpens * diameter(section)) onset = Onset{i, section.s};
        } else if (gentle_from - section.s > diameter(section)) {
            break;
        }
    }
    if (onset && onset->section > 0)
        onset->s =
            crossing(sections, onset->section, steepness(onset->section - 1), steepness(onset->section), limit, step);
    return onset;
}

} // namespace

Cut find_cut(const Profile& profile, const SectionOptions& options, double size)
{
    const auto& sections = profile.sections;
    const double step = options.step * size;
    const auto entry = static_cast<std::size_t>(profile.body_entry);
    const double body = body_crossing(sections, entry, options.cut_q, step);
    const auto onset = find_onset(profile, options.flare, options.flare_window, step);
    if (!onset) {
        // Nothing turns sharply into the body: where the tail ends is then where the skeleton begins, and how thick it
        // is at its root, where it begins to widen.
        const auto gentle = find_onset(profile, options.flare_least, options.flare_window, step);
        return {gentle ? gentle->section : entry, body, body, gentle.has_value()};
    }
    const double past = options.cut_fillet * size - options.cut_radii * 0.5 * diameter(sections[onset->section]);
    return {onset->section, std::clamp(onset->s + past, sections[0].s, std::max(body, sections[0].s)), body, true};
}

std::size_t section_at(const Profile& profile, double s, double step)
{
    const double i = std::round(s / step) - 1;
    return static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(profile.sections.size() - 1)));
}

} // namespace tailfix
