#include <tailfix/surface/sections.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include <tailfix/error.h>
#include <tailfix/surface/distance_field.h>

#include "surface/cut.h"
#include "surface/evidence.h"
#include "surface/piece.h"
#include "surface/place.h"
#include "surface/point_tree.h"
#include "surface/profile.h"
#include "surface/surface_graph.h"
#include "surface/tips.h"

namespace tailfix {
namespace {

// The most prominent tips are looked at, this many at most: real characters have 2 to 40 (detection.md 7), and with a
// persistence of next to none, or in a soup of triangles, every point of the skin is a tip.
constexpr std::size_t kMostTips = 64;

// Points that all tips together may reach, which is the work: 16 times the whole skin on the costliest character seen,
// but no more than some millions where the skin is not itself that large.
double most_work(int size)
{
    return std::max(8.0 * size, std::min(40.0 * size, 2e6));
}

constexpr const char* kMiddleTest = "middle";

// Root radii that skin of the body may reach up a tail of own shells, past the fillet: a tail leaves the body aslant,
// one side before the other. What reaches farther up is the tail's own skin, under a tuft or fur.
constexpr double kBeside = 4;

constexpr double kHintReach = 0.1; // of S: a point that a person gives is read off a screen

// What every candidate is measured against.
struct Body {
    const Character& character;
    const Roles& roles;
    const SectionOptions& options;
    SurfaceGraph graph;
    std::vector<double> shell_area;
    std::vector<LimbEnd> limb_ends; // on the graph
    int seed = 0;                   // graph point halfway between pelvis and head
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
    body.seed = points.nearest(roles.middle).point;
    return body;
}

double median(std::vector<double> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// detection.md 5. Every test is made, so that the report can show by how much each was passed or missed.
Evidence test_candidate(const Body& body, const Profile& profile, const Cut& cut, const Piece& piece)
{
    const auto& o = body.options;
    const Roles& roles = body.roles;
    const double size = roles.size;
    const auto& sections = profile.sections;
    const Section& onset = sections[cut.onset];
    const Section& root = sections[section_at(profile, cut.s, o.step * size)];
    std::vector<double> flatness, openness, perimeter;
    double unexplained = 0;
    for (std::size_t i = 0; i <= cut.onset; ++i) {
        flatness.push_back(sections[i].flatness);
        openness.push_back(sections[i].openness);
        perimeter.push_back(sections[i].perimeter);
        unexplained += sections[i].q() > o.body_q;
    }
    unexplained /= static_cast<double>(cut.onset + 1);

    const BodyPlace place = place_of(body.character, roles, onset.centre);
    // A tail may bend aside, its root may not. Beside a shell of its own the cut runs over the body's skin, and its
    // centre says nothing of where the shell hangs.
    const double lateral = piece.own_shells
                               ? place.lateral
                               : std::min(place.lateral, place_of(body.character, roles, root.centre).lateral);

    const double axis =
        piece.touch ? std::max(place.axis, place_of(body.character, roles, *piece.touch).axis) : place.axis;
    const double no_flare_slender = cut.flared ? o.slender : o.slender_no_flare;
    Evidence e;
    // The doubt of a test is its own limit where 0 is as bad as it gets, else what is left up to 1; a tenth of S for
    // the two that say where on the body: about the radius of a thick tail's root.
    e.at_least("length", cut.s / size, o.min_length, o.min_length, "its length is {value:.3f} S, {side} {limit}");
    // As thick as most of it is: at the onset, a section may hold some of the body already.
    e.at_least("slender", cut.s * std::numbers::pi / std::min(onset.perimeter, median(perimeter)), no_flare_slender,
               no_flare_slender, "it is {value:.1f} times as long as thick, {side} {limit}");
    e.at_least("unexplained", unexplained, o.unexplained, 1 - o.unexplained,
               "{value:.2f} of its sections are free of bones, {side} {limit}");
    e.at_most("low on the axis", axis, o.axis, o.axis,
              "it grows at {value:.2f} of the way from pelvis to head, {side} {limit}");
    e.at_most(kMiddleTest, lateral, o.middle, o.middle, "its root is {value:.3f} S off the middle, {side} {limit}");
    e.at_most("not low", place.down, o.low, o.low,
              "its root is {value:.2f} of the way from pelvis to ground, {side} {limit}");
    e.at_least("behind", place.behind, o.behind, kBehindDoubt,
               "its root is {value:.3f} S behind the pelvis, {side} {limit}");
    e.at_least("not flat", median(flatness), o.flat, o.flat,
               "its sections are {value:.2f} as thick as wide, {side} {limit}");
    e.at_least("prominent", onset.s / sections[static_cast<std::size_t>(profile.body_entry)].s, o.prominent,
               1 - o.prominent, "{value:.2f} of the way from its tip to the skeleton stands out, {side} {limit}");
    e.at_most("closed", median(openness), o.open, o.open,
              "{value:.2f} of its sections' length is open, {side} {limit}");
    e.no_limb(body.character,
              limb_in(body.limb_ends, [&](int p) { return bool(piece.inside[static_cast<std::size_t>(p)]); }));
    return e;
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
    int reached = 0; // points, which is the work it took

    // What only a tail is asked for; there may be many candidates.
    void forget()
    {
        piece = {};
        distance = {};
    }
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
    std::stable_sort(tips.begin(), tips.end(),
                     [](const Tip& a, const Tip& b) { return a.persistence > b.persistence; });
    if (tips.size() > kMostTips) tips.resize(kMostTips);
    return tips;
}

Examined examine(const Body& body, int tip)
{
    const double size = body.roles.size, step = body.options.step * size;
    Examined out;
    out.tip = tip;
    out.candidate.tip = body.graph.points[static_cast<std::size_t>(tip)];
    Profile profile = measure_profile(body.graph, tip, body.roles.bones, {step, body.options.body_q});
    out.reached = profile.reached;
    if (profile.body_entry < 0) {
        out.candidate.why_not = "its sections never come to enclose the skeleton";
        return out;
    }
    Cut cut = find_cut(profile, body.options, size);
    const double root_radius = profile.sections[cut.onset].perimeter / (2 * std::numbers::pi);
    const double beside = kBeside * root_radius + body.options.cut_fillet * size;
    out.piece = cut_piece(body.graph, body.shell_area, profile.distance, cut.s, beside);
    // A shell of its own has no fillet: it goes on into the body, and hangs where the skeleton begins.
    if (out.piece.own_shells) cut.s = std::max(cut.s, cut.body);
    out.cut = cut.s;
    out.candidate.length = cut.s;
    out.candidate.onset = profile.sections[cut.onset].centre;
    for (int p = 0; p < body.graph.welded_count; ++p)
        if (out.piece.inside[static_cast<std::size_t>(p)]) out.candidate.points.push_back(p);
    const Evidence evidence = test_candidate(body, profile, cut, out.piece);
    out.candidate.tests = evidence.tests;
    out.candidate.score = evidence.score();
    const SectionTest* failed = evidence.decisive(body.options.least_score);
    out.candidate.is_tail = failed == nullptr;
    if (failed != nullptr) out.candidate.why_not = failed->text;
    Tail& tail = out.candidate.tail;
    tail.points = out.candidate.points;
    tail.root = profile.sections[section_at(profile, cut.s, step)].centre;
    tail.root_radius = root_radius;
    tail.attach = attach_joint(body, tail.root);
    out.distance = std::move(profile.distance);
    return out;
}

// Whether a candidate grows beside an accepted tail: as far apart as their roots are thick, and not much shorter.
bool is_sibling(const SectionCandidate& candidate, const SectionCandidate& accepted, double longest,
                const SectionOptions& options)
{
    // Beside one another, sections through the body drift apart or together; where they flare they have not yet.
    const double apart =
        std::min((candidate.tail.root - accepted.tail.root).norm(), (candidate.onset - accepted.onset).norm());
    return apart <= options.sibling_radii * (candidate.tail.root_radius + accepted.tail.root_radius) &&
           candidate.length >= options.sibling_length * longest;
}

// One of several may grow beside the middle, where its neighbour does not: a fan of tails.
bool is_only_off_the_middle(const SectionCandidate& candidate, const SectionOptions& options)
{
    bool off_middle = false;
    for (const auto& test : candidate.tests) {
        if (test.score >= options.least_score) continue;
        if (test.name != kMiddleTest || test.value > 2 * test.limit) return false;
        off_middle = true;
    }
    return off_middle;
}

// detection.md 6: the longest is the tail; others must grow beside one that has been accepted [T: any, so that of three
// in a row the outer ones need not be neighbours], and be at least half as long as the longest.
void select(std::vector<Examined>& all, const SectionOptions& options)
{
    std::vector<const Examined*> accepted;
    const auto is_part = [&](const Examined& e) {
        return std::any_of(accepted.begin(), accepted.end(),
                           [&](const Examined* a) { return a->piece.inside[static_cast<std::size_t>(e.tip)]; });
    };
    const auto grows_beside = [&](const Examined& e) {
        return std::any_of(accepted.begin(), accepted.end(), [&](const Examined* a) {
            return is_sibling(e.candidate, a->candidate, accepted.front()->candidate.length, options);
        });
    };
    for (auto& e : all) {
        if (!e.candidate.is_tail || !accepted.empty()) continue;
        accepted.push_back(&e);
    }
    // Until nothing more is beside anything: a third tail may be a neighbour of the second only.
    for (std::size_t before = 0; before < accepted.size();) {
        before = accepted.size();
        for (auto& e : all) {
            if (accepted.empty() || std::find(accepted.begin(), accepted.end(), &e) != accepted.end()) continue;
            const bool may = e.candidate.is_tail || is_only_off_the_middle(e.candidate, options);
            if (!may || is_part(e) || !grows_beside(e)) continue;
            e.candidate.is_tail = true;
            e.candidate.why_not.clear();
            accepted.push_back(&e);
        }
    }
    for (auto& e : all) {
        if (!e.candidate.is_tail || std::find(accepted.begin(), accepted.end(), &e) != accepted.end()) continue;
        e.candidate.is_tail = false;
        e.candidate.why_not = is_part(e) ? "it is part of a longer tail"
                                         : "a longer tail has been found, and this does not grow beside it";
    }
}

// Uphill from a point, by its distance from the seed, to where it goes no higher.
int climb(const SurfaceGraph& graph, const std::vector<double>& height, int from)
{
    for (int here = from;;) {
        int next = here;
        for (int e = graph.first[static_cast<std::size_t>(here)]; e < graph.first[static_cast<std::size_t>(here) + 1];
             ++e) {
            const int q = graph.target[static_cast<std::size_t>(e)];
            if (height[static_cast<std::size_t>(q)] > height[static_cast<std::size_t>(next)]) next = q;
        }
        if (next == here) return here;
        here = next;
    }
}

int point_at(const Body& body, const Eigen::Vector3d& hint)
{
    const auto hit = PointTree(body.graph.points).nearest(hint);
    if (hit.distance > kHintReach * body.roles.size)
        throw Error(Failure::Usage, fmt::format("--tail-at: the nearest skin is {:.3g} of the model's height away",
                                                hit.distance / body.roles.height));
    return hit.point;
}

// The smallest protrusion that holds the point; where no tip's does, the one whose tip lies uphill.
Examined find_hinted(const Body& body, const std::vector<Tip>& tips, int point)
{
    std::optional<Examined> best;
    for (const auto& tip : tips) {
        Examined e = examine(body, tip.point);
        const bool holds = !e.piece.inside.empty() && e.piece.inside[static_cast<std::size_t>(point)];
        if (holds && (!best || e.candidate.points.size() < best->candidate.points.size())) best = std::move(e);
    }
    if (!best) best = examine(body, climb(body.graph, distances_from(body.graph, {{body.seed, 0}}), point));
    best->candidate.is_tail = !best->candidate.points.empty();
    if (best->candidate.is_tail) {
        best->candidate.tests.insert(best->candidate.tests.begin(),
                                     {"tail-at", 0, 0, true, 1, "--tail-at points at it"});
        best->candidate.why_not.clear();
    }
    return std::move(*best);
}

std::vector<Examined> examine_hinted(const Body& body, const std::vector<Eigen::Vector3d>& hints)
{
    std::vector<Examined> found;
    const auto tips = tips_of(body);
    for (const auto& hint : hints) {
        const int point = point_at(body, hint);
        const bool known = std::any_of(found.begin(), found.end(), [&](const Examined& e) {
            return !e.piece.inside.empty() && e.piece.inside[static_cast<std::size_t>(point)];
        });
        if (!known) found.push_back(find_hinted(body, tips, point));
    }
    return found;
}

std::vector<Examined> examine_all(const Body& body)
{
    std::vector<Examined> all;
    double work = 0;
    for (const auto& tip : tips_of(body)) {
        if (work > most_work(body.graph.size())) break;
        all.push_back(examine(body, tip.point));
        work += all.back().reached;
        if (!all.back().candidate.is_tail && !is_only_off_the_middle(all.back().candidate, body.options))
            all.back().forget();
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Examined& a, const Examined& b) { return a.candidate.length > b.candidate.length; });
    select(all, body.options);
    return all;
}

} // namespace

std::vector<SectionCandidate> find_section_tails(const Character& character, const Roles& roles, const Weld& weld,
                                                 const SectionOptions& options,
                                                 const std::vector<Eigen::Vector3d>& tail_at)
{
    if (!roles.is_character || weld.triangles.empty()) return {};
    const Body body = make_body(character, roles, weld, options);
    std::vector<SectionCandidate> out;
    std::vector<Examined> examined = tail_at.empty() ? examine_all(body) : examine_hinted(body, tail_at);
    for (auto& e : examined) {
        if (e.candidate.is_tail)
            e.candidate.tail.along =
                distance_along_piece(body.graph, e.piece, e.distance, e.tip, e.cut, e.candidate.tail.root_radius);
        out.push_back(std::move(e.candidate));
    }
    return out;
}

} // namespace tailfix
