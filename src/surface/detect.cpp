#include <tailfix/surface/detect.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <tailfix/error.h>
#include <tailfix/surface/distance_field.h>

#include "surface/along.h"
#include "surface/collar.h"
#include "surface/evidence.h"
#include "surface/overlap.h"
#include "surface/own_tail.h"
#include "surface/place.h"
#include "surface/point_tree.h"
#include "surface/surface_graph.h"

namespace tailfix {
namespace {

// A tube has none, but for a hole at the tip or where two shells overlap; a hem has its whole length.
constexpr double kFreeEdges = 0.5; // of the reach

bool overlaps_any(const std::vector<Appendage>& found, const std::vector<int>& points, double most)
{
    return std::any_of(found.begin(), found.end(),
                       [&](const Appendage& a) { return overlap(a.points, points) > most; });
}

// Length of the piece's free edges (of one triangle only), over its reach. A tail is a closed tube; a hem is a sheet.
double free_edges(const Weld& weld, const Appendage& piece)
{
    std::map<std::pair<int, int>, int> triangles_of_edge;
    const auto in = [&](int p) { return std::binary_search(piece.points.begin(), piece.points.end(), p); };
    for (const auto& t : weld.triangles) {
        for (int k = 0; k < 3; ++k)
            if (in(t[k]) && in(t[(k + 1) % 3])) ++triangles_of_edge[std::minmax(t[k], t[(k + 1) % 3])];
    }
    double length = 0;
    for (const auto& [edge, count] : triangles_of_edge)
        if (count == 1)
            length +=
                (weld.points[static_cast<std::size_t>(edge.first)] - weld.points[static_cast<std::size_t>(edge.second)])
                    .norm();
    return piece.reach > 0 ? length / piece.reach : 0;
}

// The sections' tests of shape and place, for a far piece that the article's tests call a tail.
Evidence test_far_piece(const Character& character, const Roles& roles, const Weld& weld, const Appendage& piece,
                        const SectionOptions& o)
{
    const double slender = piece.root_radius > 0 ? piece.reach / (2 * piece.root_radius) : 0;
    const BodyPlace place = place_of(character, roles, piece.collar_centroid);
    Evidence e;
    e.at_least("slender", slender, o.slender, o.slender, "it is {value:.1f} times as long as thick, {side} {limit}");
    e.at_most("closed", free_edges(weld, piece), kFreeEdges, kFreeEdges,
              "its free edges measure {value:.1f} of its reach, {side} {limit}");
    e.at_most("low on the axis", place.axis, o.axis, o.axis,
              "it hangs at {value:.2f} of the way from pelvis to head, {side} {limit}");
    e.at_most("middle", place.lateral, o.middle, o.middle, "it hangs {value:.3f} S off the middle, {side} {limit}");
    e.at_most("not low", place.down, o.low, o.low,
              "it hangs {value:.2f} of the way from pelvis to ground, {side} {limit}");
    e.at_least("behind", place.behind, o.behind, kBehindDoubt,
               "it hangs {value:.3f} S behind the pelvis, {side} {limit}");
    const auto ends = find_limb_ends(character, roles, PointTree(weld.points), o.side_leaf);
    e.no_limb(character,
              limb_in(ends, [&](int p) { return std::binary_search(piece.points.begin(), piece.points.end(), p); }));
    return e;
}

void add_section_tails(const Character& character, const Roles& roles, const Weld& weld, const DetectOptions& options,
                       Detection& out)
{
    for (const auto& candidate : out.candidates) {
        if (!candidate.is_tail) continue;
        Appendage piece = measure_piece(character, roles, weld, candidate.points, collar_of(weld, candidate.points),
                                        options.classify);
        piece.kind = AppendageClass::Tail;
        piece.found_by = "sections";
        piece.attach = candidate.tail.attach;
        piece.length = candidate.length;
        piece.root_radius = candidate.tail.root_radius;
        piece.tests = candidate.tests;
        piece.score = candidate.score;
        piece.reasons.push_back(fmt::format("its cross-sections hold no bone for {:.2f} S from its tip, and its root "
                                            "is behind the pelvis in the middle",
                                            candidate.length / roles.size));
        out.appendages.push_back(std::move(piece));
        out.tails.push_back(candidate.tail);
    }
}

Tail tail_of_piece(const Weld& weld, const Roles& roles, const Appendage& piece, const SectionOptions& options)
{
    // The article measures along the mesh's own edges (method.md 4), so nothing is split here, or crossed.
    const SurfaceGraph graph = build_surface_graph(weld, {0, options.bridge_slack * roles.size, true});
    std::vector<bool> inside(graph.points.size(), false);
    for (const int p : piece.points) inside[static_cast<std::size_t>(p)] = true;
    Tail tail;
    tail.attach = piece.attach;
    tail.points = piece.points;
    tail.root = piece.collar_centroid;
    tail.root_radius = piece.root_radius;
    tail.along = distance_along_collar(graph, inside, piece.collar, piece.root_radius);
    return tail;
}

void add_far_pieces(const Character& character, const Roles& roles, const Weld& weld, const DetectOptions& options,
                    Detection& out)
{
    const auto field = distance_to_bones(weld.points, roles.bones);
    const auto pieces = cluster_far_skin(weld, field, roles.height, options.cluster);
    std::vector<Appendage> others;
    for (auto& piece : classify_far_pieces(character, roles, weld, pieces, options.classify)) {
        if (overlaps_any(out.appendages, piece.points, options.overlap)) continue;
        if (piece.kind == AppendageClass::Tail && options.method == DetectMethod::Both) {
            const Evidence evidence = test_far_piece(character, roles, weld, piece, options.sections);
            piece.tests = evidence.tests;
            piece.score = evidence.score();
            if (const SectionTest* failed = evidence.decisive(options.sections.least_score)) {
                // Long and on the pelvis, but not where a tail grows: a scabbard, a holster, a belt's end.
                piece.kind = AppendageClass::Worn;
                piece.reasons.push_back("no tail: " + failed->text);
            }
        }
        if (piece.kind != AppendageClass::Tail) {
            others.push_back(std::move(piece));
            continue;
        }
        out.tails.push_back(tail_of_piece(weld, roles, piece, options.sections));
        out.appendages.push_back(std::move(piece));
    }
    out.appendages.insert(out.appendages.end(), std::make_move_iterator(others.begin()),
                          std::make_move_iterator(others.end()));
}

// Candidates that the sections method refused and that no far piece stands for.
void add_refused(const Character& character, const Roles& roles, const Weld& weld, const DetectOptions& options,
                 Detection& out)
{
    for (const auto& candidate : out.candidates) {
        if (candidate.is_tail || candidate.points.empty() ||
            overlaps_any(out.appendages, candidate.points, options.overlap))
            continue;
        Appendage piece = measure_piece(character, roles, weld, candidate.points, collar_of(weld, candidate.points),
                                        options.classify);
        piece = classify_piece(character, roles, std::move(piece), options.classify);
        // The sections have already said that it is none.
        if (piece.kind == AppendageClass::Tail) piece.kind = AppendageClass::Worn;
        piece.found_by = "sections";
        piece.length = candidate.length;
        piece.tests = candidate.tests;
        piece.score = candidate.score;
        piece.reasons.push_back("no tail: " + candidate.why_not);
        out.appendages.push_back(std::move(piece));
    }
}

// What a person points at is the tail: no test has a say, and nothing else is one.
Detection detect_where_told(const Character& character, const Roles& roles, const Weld& weld,
                            const DetectOptions& options, const std::vector<Eigen::Vector3d>& tail_at)
{
    Detection out;
    out.candidates = find_section_tails(character, roles, weld, options.sections, tail_at);
    add_section_tails(character, roles, weld, options, out);
    if (out.tails.empty())
        out.why_none = "there is no protrusion at --tail-at: sections around it never come to enclose the skeleton";
    return out;
}

} // namespace

std::vector<Eigen::Vector3d> parse_points(const std::string& text)
{
    std::vector<Eigen::Vector3d> points;
    std::istringstream triples(text);
    for (std::string triple; std::getline(triples, triple, ';');) {
        std::istringstream numbers(triple);
        Eigen::Vector3d p;
        char comma = ',', other = ',';
        const bool read = static_cast<bool>(numbers >> p.x() >> comma >> p.y() >> other >> p.z());
        if (!read || comma != ',' || other != ',' || !(numbers >> std::ws).eof() || !p.allFinite())
            throw Error(Failure::Usage,
                        fmt::format("--tail-at \"{}\": a point is three numbers, as in 0,0.9,-0.3", text));
        points.push_back(p);
    }
    return points;
}

Detection detect_tails(const Character& character, const Roles& roles, const Weld& weld, const DetectOptions& options,
                       const std::vector<Eigen::Vector3d>& tail_at)
{
    Detection out;
    if (!roles.is_character) {
        out.why_none = roles.why_not;
        return out;
    }
    if (weld.triangles.empty() || roles.bones.empty()) {
        out.why_none = weld.triangles.empty() ? "the skin has no triangles" : "the rig has no bones";
        return out;
    }
    if (!tail_at.empty()) return detect_where_told(character, roles, weld, options, tail_at);
    if (const auto own = find_own_tail_by_name(character, roles)) {
        report_own_tail(character, roles, weld, *own, options, out);
        return out;
    }
    if (options.method != DetectMethod::Article)
        out.candidates = find_section_tails(character, roles, weld, options.sections);
    add_section_tails(character, roles, weld, options, out);
    if (options.method != DetectMethod::Sections) add_far_pieces(character, roles, weld, options, out);
    add_refused(character, roles, weld, options, out);
    if (out.tails.empty()) {
        out.why_none =
            out.appendages.empty()
                ? "nothing on the body stands out from its bones"
                : fmt::format("none of the {} pieces that stand out from the bones is a tail", out.appendages.size());
    }
    leave_own_tails(character, roles, weld, options, out);
    return out;
}

} // namespace tailfix
