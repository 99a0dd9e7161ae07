#include <tailfix/surface/sections.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <tailfix/surface/distance_field.h>

#include "surface/piece.h"
#include "surface/place.h"
#include "surface/point_tree.h"
#include "surface/profile.h"
#include "surface/surface_graph.h"
#include "surface/tips.h"

namespace tailfix {
namespace {

// The most prominent tips are looked at, this many at most: real characters have 2 to 40 (detection.md 7), and with a
// persistence of next to none every point of the skin is a tip.
constexpr std::size_t kMostTips = 256;

// What every candidate is measured against.
struct Body {
    const Character& character;
    const Roles& roles;
    const SectionOptions& options;
    SurfaceGraph graph;
    std::vector<double> shell_area;
    std::vector<LimbEnd> limb_ends; // on the graph
    int seed = 0;                   // graph point halfway between pelvis and head

    Eigen::Vector3d joint(int j) const { return character.joints[static_cast<std::size_t>(j)].position(); }
};

Body make_body(const Character& character, const Roles& roles, const Weld& weld, const SectionOptions& options)
{
    const double size = roles.size;
    const SurfaceGraphOptions fineness{options.longest_edge * size, options.bridge_slack * size};
    Body body{character, roles, options, build_surface_graph(weld, fineness), {}, {}, 0};
    body.shell_area = shell_areas(body.graph);
    const PointTree points(body.graph.points);
    body.limb_ends = find_limb_ends(character, roles, points, options.side_leaf);
    // Not seeded at the pelvis: there a short tail's root is as near to the seed as its tip, and the tip would vanish.
    const Eigen::Vector3d pelvis = body.joint(roles.pelvis);
    const Eigen::Vector3d middle =
        roles.head == kNone ? pelvis : Eigen::Vector3d(0.5 * (pelvis + body.joint(roles.head)));
    body.seed = points.nearest(middle).point;
    return body;
}

// Where the tail ends and the body begins.
struct Cut {
    std::size_t onset = 0; // section at which the flare begins
    double s = 0;          // distance from the tip at which it is cut
    bool flared = false;
};

double flare(const std::vector<Section>& sections, std::size_t i, double step)
{
    const Section& here = sections[i];
    if (!(here.perimeter > 0)) return 1;
    const double at = (here.s + here.perimeter / std::numbers::pi) / step - 1;
    const auto below =
        static_cast<std::size_t>(std::clamp(std::floor(at), 0.0, static_cast<double>(sections.size() - 1)));
    const std::size_t above = std::min(below + 1, sections.size() - 1);
    const double f = std::clamp(at - static_cast<double>(below), 0.0, 1.0);
    return ((1 - f) * sections[below].perimeter + f * sections[above].perimeter) / here.perimeter;
}

// Walks down from the body entry: the onset is the lowest steep section before a run of gentle ones longer than one
// local diameter. So tufts, clubs and bushy middles, whose flares are followed by such a run, are passed over.
Cut find_cut(const Profile& profile, const SectionOptions& options, double step)
{
    const auto& sections = profile.sections;
    const auto entry = static_cast<std::size_t>(profile.body_entry);
    Cut cut{entry, sections[entry].s, false};
    double gentle_from = sections[entry].s;
    for (std::size_t i = entry + 1; i-- > 0;) {
        const Section& section = sections[i];
        const double diameter = section.perimeter / std::numbers::pi;
        if (flare(sections, i, step) >= options.flare) {
            gentle_from = section.s;
            // Nearer to the tip than this, the tip itself is what opens.
            if (section.s >= 0.8 * diameter) {
                cut.onset = i;
                cut.flared = true;
            }
        } else if (gentle_from - section.s > diameter) {
            break;
        }
    }
    if (cut.flared) {
        const Section& onset = sections[cut.onset];
        cut.s = std::min(sections[entry].s, onset.s + options.cut_radii * onset.perimeter / (2 * std::numbers::pi));
    }
    return cut;
}

double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::size_t section_at(const std::vector<Section>& sections, double s, double step)
{
    const double i = std::round(s / step) - 1;
    return static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(sections.size() - 1)));
}

class Tests {
public:
    void at_least(const char* name, double value, double limit, const char* text)
    {
        add(name, value, limit, value >= limit, text);
    }
    void at_most(const char* name, double value, double limit, const char* text)
    {
        add(name, value, limit, value <= limit, text);
    }
    void add(const char* name, double value, double limit, bool passed, const char* text)
    {
        tests.push_back({name, value, limit, passed,
                         fmt::format(fmt::runtime(text), fmt::arg("value", value), fmt::arg("limit", limit))});
    }

    std::vector<SectionTest> tests;
};

// detection.md 5. Every test is made, so that the report can show by how much each was passed or missed.
std::vector<SectionTest> test_candidate(const Body& body, const Profile& profile, const Cut& cut, const Piece& piece)
{
    const auto& o = body.options;
    const Roles& roles = body.roles;
    const double size = roles.size;
    const auto& sections = profile.sections;
    const Section& onset = sections[cut.onset];
    const Section& root = sections[section_at(sections, cut.s, o.step * size)];
    std::vector<double> flatness, openness;
    double unexplained = 0;
    for (std::size_t i = 0; i <= cut.onset; ++i) {
        flatness.push_back(sections[i].flatness);
        openness.push_back(sections[i].openness);
        unexplained += sections[i].q() > o.body_q;
    }
    unexplained /= static_cast<double>(cut.onset + 1);

    const BodyPlace place = place_of(body.character, roles, onset.centre);
    // A tail may bend aside, its root may not. Beside a shell of its own the cut runs over the body's skin, and its
    // centre says nothing of where the shell hangs.
    const double lateral = piece.own_shells
                               ? place.lateral
                               : std::min(place.lateral, place_of(body.character, roles, root.centre).lateral);

    Tests t;
    t.at_least("length", cut.s / size, o.min_length, "its length of {value:.3f} S is under {limit}");
    t.at_least("slender", cut.s * std::numbers::pi / onset.perimeter, cut.flared ? o.slender : o.slender_no_flare,
               "it is {value:.1f} times as long as thick, under {limit}");
    t.at_least("unexplained", unexplained, o.unexplained,
               "only {value:.2f} of its sections are free of bones, under {limit}");
    t.at_most("low on the axis", place.axis, o.axis,
              "it grows at {value:.2f} of the way from pelvis to head, over {limit}");
    t.at_most("middle", lateral, o.middle, "its root is {value:.3f} S off the middle, over {limit}");
    t.at_most("not low", place.down, o.low, "its root is {value:.2f} of the way from pelvis to ground, over {limit}");
    t.at_least("behind", place.behind, o.behind, "its root is {value:.3f} S behind the pelvis, under {limit}");
    t.at_least("not flat", median(flatness), o.flat, "its sections are flat ({value:.2f}, under {limit})");
    t.at_least("prominent", onset.s / sections[static_cast<std::size_t>(profile.body_entry)].s, o.prominent,
               "only {value:.2f} of the way from its tip to the skeleton stands out, under {limit}");
    t.at_most("closed", median(openness), o.open, "its sections are open ({value:.2f}, over {limit})");
    int limb = kNone;
    for (const auto& end : body.limb_ends)
        if (limb == kNone && piece.inside[static_cast<std::size_t>(end.point)]) limb = end.joint;
    t.add("not a limb", limb == kNone ? 0 : 1, 0, limb == kNone, "it is the skin around the end of a limb");
    if (limb != kNone)
        t.tests.back().text += fmt::format(" (\"{}\")", body.character.joints[static_cast<std::size_t>(limb)].name);
    return t.tests;
}

// The nearest middle joint that carries skin and is neither of the head nor of a leg; the pelvis if there is none.
int attach_joint(const Body& body, const Eigen::Vector3d& root)
{
    int best = body.roles.pelvis;
    double nearest = kUnreached;
    for (std::size_t j = 0; j < body.character.joints.size(); ++j) {
        const Eigen::Vector3d at = body.character.joints[j].position();
        const bool middle =
            std::abs(at.dot(body.roles.frame.left) - body.roles.mirror) < body.options.attach_middle * body.roles.size;
        const Role role = body.roles.role[j];
        if (!body.roles.live[j] || !middle || (role != Role::Pelvis && role != Role::Spine)) continue;
        if ((at - root).norm() >= nearest) continue;
        nearest = (at - root).norm();
        best = static_cast<int>(j);
    }
    return best;
}

struct Examined {
    SectionCandidate candidate;
    int tip = 0;
    Piece piece;
    std::vector<double> distance; // from the tip, per graph point
    double cut = 0;
};

std::vector<Tip> tips_of(const Body& body)
{
    const SectionOptions& options = body.options;
    auto tips =
        find_tips(body.graph, distances_from(body.graph, {{body.seed, 0}}), options.persistence * body.roles.size);
    const auto near = [&](const Tip& tip) {
        return distance_to_bones(body.graph.points[static_cast<std::size_t>(tip.point)], body.roles.bones) <
               options.tip_distance * body.roles.size;
    };
    tips.erase(std::remove_if(tips.begin(), tips.end(), near), tips.end());
    if (tips.size() <= kMostTips) return tips;
    std::stable_sort(tips.begin(), tips.end(),
                     [](const Tip& a, const Tip& b) { return a.persistence > b.persistence; });
    tips.resize(kMostTips);
    std::sort(tips.begin(), tips.end(), [](const Tip& a, const Tip& b) { return a.point < b.point; });
    return tips;
}

Examined examine(const Body& body, const Tip& tip)
{
    const double size = body.roles.size, step = body.options.step * size;
    Examined out;
    out.tip = tip.point;
    out.candidate.tip = body.graph.points[static_cast<std::size_t>(tip.point)];
    Profile profile = measure_profile(body.graph, tip.point, body.roles.bones, {step, body.options.body_q});
    if (profile.body_entry < 0) {
        out.candidate.why_not = "its sections never come to enclose the skeleton";
        return out;
    }
    const Cut cut = find_cut(profile, body.options, step);
    out.cut = cut.s;
    const double root_radius = profile.sections[cut.onset].perimeter / (2 * std::numbers::pi);
    out.piece = cut_piece(body.graph, body.shell_area, profile.distance, cut.s, root_radius);
    out.candidate.length = cut.s;
    for (int p = 0; p < body.graph.welded_count; ++p)
        if (out.piece.inside[static_cast<std::size_t>(p)]) out.candidate.points.push_back(p);
    out.candidate.tests = test_candidate(body, profile, cut, out.piece);
    out.candidate.is_tail = true;
    for (const auto& test : out.candidate.tests) {
        if (test.passed || !out.candidate.is_tail) continue;
        out.candidate.is_tail = false;
        out.candidate.why_not = test.text;
    }
    Tail& tail = out.candidate.tail;
    tail.points = out.candidate.points;
    tail.root = profile.sections[section_at(profile.sections, cut.s, step)].centre;
    tail.root_radius = root_radius;
    tail.attach = attach_joint(body, tail.root);
    if (out.candidate.is_tail) {
        out.distance = std::move(profile.distance);
    } else {
        out.piece = {}; // nothing asks for it again, and there may be many
    }
    return out;
}

// detection.md 6: the longest is the tail; a second one must grow beside it and be at least half as long.
void select(std::vector<Examined>& all, const SectionOptions& options)
{
    const Examined* longest = nullptr;
    std::vector<const Examined*> accepted;
    for (auto& e : all) {
        if (!e.candidate.is_tail) continue;
        const auto refuse = [&](const std::string& why) {
            e.candidate.is_tail = false;
            e.candidate.why_not = why;
        };
        const bool part = std::any_of(accepted.begin(), accepted.end(), [&](const Examined* a) {
            return a->piece.inside[static_cast<std::size_t>(e.tip)];
        });
        if (part) {
            refuse("it is part of a longer tail");
            continue;
        }
        if (longest != nullptr) {
            const double apart = (e.candidate.tail.root - longest->candidate.tail.root).norm();
            const double reach =
                options.sibling_radii * (e.candidate.tail.root_radius + longest->candidate.tail.root_radius);
            if (apart > reach || e.candidate.length < options.sibling_length * longest->candidate.length) {
                refuse(fmt::format("the tail has been found already, and this grows {:.1f} times as far from its root "
                                   "as a second tail may, at {:.2f} of its length",
                                   apart / reach, e.candidate.length / longest->candidate.length));
                continue;
            }
        } else {
            longest = &e;
        }
        accepted.push_back(&e);
    }
}

} // namespace

std::vector<SectionCandidate> find_section_tails(const Character& character, const Roles& roles, const Weld& weld,
                                                 const SectionOptions& options)
{
    if (!roles.is_character || weld.triangles.empty()) return {};
    const Body body = make_body(character, roles, weld, options);

    std::vector<Examined> all;
    for (const auto& tip : tips_of(body)) all.push_back(examine(body, tip));
    std::stable_sort(all.begin(), all.end(),
                     [](const Examined& a, const Examined& b) { return a.candidate.length > b.candidate.length; });
    select(all, options);

    std::vector<SectionCandidate> out;
    for (auto& e : all) {
        if (e.candidate.is_tail)
            e.candidate.tail.along =
                distance_along_piece(body.graph, e.piece, e.distance, e.tip, e.cut, e.candidate.tail.root_radius);
        out.push_back(std::move(e.candidate));
    }
    return out;
}

} // namespace tailfix
