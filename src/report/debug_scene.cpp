#include <tailfix/report/debug_scene.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <tailfix/surface/distance_field.h>

#include "report/explain.h"

namespace tailfix {
namespace {

constexpr Colour kBone{40, 62, 150}, kCentreline{214, 39, 40}, kRoot{150, 0, 150}, kAttach{255, 127, 14},
    kPelvis{0, 130, 60};
constexpr std::uint8_t kSeeThrough = 70; // of 255: bones show, and the outline does too
constexpr double kMark = 0.02;           // of H: half the size of a cross at a joint
constexpr int kRingSides = 32;

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

struct Scene {
    Eigen::Affine3d from_bind;
    double height = 0; // H, metres

    Eigen::Vector3d operator()(const Eigen::Vector3d& bind) const { return from_bind * bind; }
};

Scene scene_of(const Inspected& in)
{
    const double metre = 1 / in.world.units_per_meter;
    return {Eigen::Affine3d(Eigen::Scaling(metre)) * in.world.world_from_bind, in.world.height * metre};
}

std::vector<Colour> spread(const Weld& weld, const std::vector<Colour>& of_point)
{
    std::vector<Colour> of_vertex;
    of_vertex.reserve(weld.point_of_vertex.size());
    for (const int p : weld.point_of_vertex) of_vertex.push_back(of_point[at(p)]);
    return of_vertex;
}

// Each triangle adds its area to the direction that its corners face; points of none, or of a fold, face up.
std::vector<Eigen::Vector3d> smooth_normals(const Weld& weld, const Scene& scene)
{
    std::vector<Eigen::Vector3d> of_point(weld.points.size(), Eigen::Vector3d::Zero());
    for (const auto& t : weld.triangles) {
        const Eigen::Vector3d a = scene(weld.points[at(t[0])]);
        const Eigen::Vector3d area = (scene(weld.points[at(t[1])]) - a).cross(scene(weld.points[at(t[2])]) - a);
        for (int k = 0; k < 3; ++k) of_point[at(t[k])] += area;
    }
    std::vector<Eigen::Vector3d> of_vertex;
    of_vertex.reserve(weld.point_of_vertex.size());
    for (const int p : weld.point_of_vertex) {
        const double length = of_point[at(p)].norm();
        of_vertex.push_back(length > 0 && std::isfinite(length) ? Eigen::Vector3d(of_point[at(p)] / length)
                                                                : Eigen::Vector3d::UnitY());
    }
    return of_vertex;
}

// === Lines

void add_cross(std::vector<DebugLine>& lines, const Eigen::Vector3d& centre, double arm, Colour colour)
{
    for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d reach = arm * Eigen::Vector3d::Unit(axis);
        lines.push_back({centre - reach, centre + reach, colour});
    }
}

void add_ring(std::vector<DebugLine>& lines, const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius,
              Colour colour)
{
    if (axis.norm() == 0 || radius <= 0) return;
    const Eigen::Vector3d u = axis.unitOrthogonal(), v = axis.normalized().cross(u);
    const auto point = [&](int i) -> Eigen::Vector3d {
        const double angle = 2 * std::numbers::pi * i / kRingSides;
        return centre + radius * (std::cos(angle) * u + std::sin(angle) * v);
    };
    for (int i = 0; i < kRingSides; ++i) lines.push_back({point(i), point(i + 1), colour});
}

std::vector<DebugLine> skeleton_lines(const Inspected& in, const Scene& scene)
{
    std::vector<DebugLine> lines;
    for (const Bone& bone : in.roles.bones) lines.push_back({scene(bone.head), scene(bone.tail), kBone});
    // A rig that is no character has no bones that count, but joints.
    if (in.roles.bones.empty())
        for (const Joint& joint : in.character.joints)
            if (joint.parent != kNone)
                lines.push_back(
                    {scene(in.character.joints[at(joint.parent)].position()), scene(joint.position()), kBone});
    const auto mark = [&](int joint, double size, Colour colour) {
        if (joint != kNone) add_cross(lines, scene(in.character.joints[at(joint)].position()), size, colour);
    };
    mark(in.roles.pelvis, kMark * scene.height, kPelvis);
    for (const Centreline& line : in.centrelines) {
        mark(line.attach, 1.5 * kMark * scene.height, kAttach); // it may be the pelvis
        for (std::size_t i = 0; i + 1 < line.joints.size(); ++i)
            lines.push_back({scene(line.joints[i]), scene(line.joints[i + 1]), kCentreline});
        for (const auto& joint : line.joints) add_cross(lines, scene(joint), 0.3 * kMark * scene.height, kCentreline);
        if (line.joints.size() > 1)
            add_ring(lines, scene(line.joints[0]), scene(line.joints[1]) - scene(line.joints[0]),
                     line.root_radius * in.world.meters_per_bind_unit(), kRoot);
    }
    return lines;
}

std::vector<LegendLine> skeleton_legend(const Inspected& in)
{
    std::vector<LegendLine> legend{{"bone", kBone}};
    if (in.roles.pelvis != kNone) legend.push_back({"cross: pelvis", kPelvis});
    if (in.centrelines.empty()) return legend;
    legend.push_back({"large cross: joint that a tail hangs from", kAttach});
    legend.push_back({"where a tail's bones lie, a cross at each joint", kCentreline});
    legend.push_back({"ring: root of a tail", kRoot});
    return legend;
}

// === Views

DebugView distance_view(const Inspected& in, double far)
{
    DebugView view{"distance to the bones", {}, {}, {}, {}};
    const double limit = far * in.roles.height;
    if (in.roles.bones.empty() || limit <= 0) {
        view.colours.assign(in.weld.point_of_vertex.size(), kBodyColour);
        view.legend = {{"no bones to measure from", kBodyColour}};
        return view;
    }
    std::vector<Colour> of_point;
    for (const double d : distance_to_bones(in.weld.points, in.roles.bones))
        of_point.push_back(field_colour(d / limit));
    view.colours = spread(in.weld, of_point);
    const double percent = 100 * far;
    view.legend = {{"0% of the height: on a bone", field_colour(0)},
                   {fmt::format("{:.3g}%", percent / 2), field_colour(0.5)},
                   {fmt::format("just under the far limit, {:.3g}%", percent), field_colour(1 - 1e-9)},
                   {fmt::format("just over the far limit, {:.3g}%", percent), field_colour(1)},
                   {fmt::format("{:.3g}% and more", kFarthestShown * percent), field_colour(kFarthestShown)}};
    return view;
}

std::string joint_name(const Character& character, int joint)
{
    if (joint == kNone) return "no joint";
    const std::string& name = character.joints[at(joint)].name;
    return name.empty() ? fmt::format("joint {}", joint) : name;
}

// A mean may lie off the piece; the point of it nearest to the mean does not.
Eigen::Vector3d place_in(const Weld& weld, const std::vector<int>& points)
{
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const int p : points) mean += weld.points[at(p)] / static_cast<double>(points.size());
    const auto nearer = [&](int a, int b) {
        return (weld.points[at(a)] - mean).squaredNorm() < (weld.points[at(b)] - mean).squaredNorm();
    };
    return weld.points[at(*std::min_element(points.begin(), points.end(), nearer))];
}

DebugView pieces_view(const Inspected& in, const Scene& scene, double least_score)
{
    DebugView view{"pieces and collars", {{"body", kBodyColour}}, {}, {}, {}};
    const auto& pieces = in.detection.appendages;
    std::vector<Colour> of_point(in.weld.points.size(), kBodyColour);
    // Backwards, so that a tail is seen whole where another piece laps over it.
    for (std::size_t i = pieces.size(); i-- > 0;)
        for (const int p : pieces[i].points) of_point[at(p)] = piece_colour(i);
    bool tail_collar = false, other_collar = false;
    for (std::size_t i = pieces.size(); i-- > 0;) {
        const bool tail = pieces[i].kind == AppendageClass::Tail;
        for (const int p : pieces[i].collar) of_point[at(p)] = tail ? kTailCollar : kOtherCollar;
        (tail ? tail_collar : other_collar) |= !pieces[i].collar.empty();
    }
    view.colours = spread(in.weld, of_point);
    if (tail_collar) view.legend.push_back({"collar of a tail", kTailCollar});
    if (other_collar) view.legend.push_back({"collar of another piece", kOtherCollar});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Explanation why = explain(pieces[i], least_score);
        const std::string name = fmt::format("piece {}: {} on {}", i + 1, class_name(pieces[i].kind),
                                             joint_name(in.character, pieces[i].attach));
        view.legend.push_back({name, piece_colour(i)});
        if (!pieces[i].points.empty())
            view.markers.push_back({name,
                                    fmt::format("decided by \"{}\": {}", why.decisive().name, why.decisive().text),
                                    scene(place_in(in.weld, pieces[i].points))});
    }
    return view;
}

DebugView classes_view(const Inspected& in)
{
    DebugView view{"classes", {{"body", kBodyColour}}, {}, {}, {}};
    std::vector<Colour> of_point(in.weld.points.size(), kBodyColour);
    const auto& pieces = in.detection.appendages;
    for (std::size_t i = pieces.size(); i-- > 0;)
        for (const int p : pieces[i].points) of_point[at(p)] = class_colour(pieces[i].kind);
    view.colours = spread(in.weld, of_point);
    for (const AppendageClass kind : {AppendageClass::Tail, AppendageClass::Worn, AppendageClass::Wide,
                                      AppendageClass::Head, AppendageClass::Limb, AppendageClass::Body})
        if (std::any_of(pieces.begin(), pieces.end(), [&](const Appendage& a) { return a.kind == kind; }))
            view.legend.push_back(
                {kind == AppendageClass::Body ? "considered, and body" : std::string(class_name(kind)),
                 class_colour(kind)});
    return view;
}

Colour see_through(Colour colour)
{
    colour.alpha = kSeeThrough;
    return colour;
}

DebugView along_view(const Inspected& in, const Scene& scene)
{
    DebugView view{"distance along the tail", {}, {}, skeleton_lines(in, scene), {}};
    std::vector<Colour> of_point(in.weld.points.size(), see_through(kBodyColour));
    view.legend = {{"body", kBodyColour}, {"root: 0", viridis(0)}};
    for (std::size_t i = 0; i < in.detection.tails.size(); ++i) {
        const Tail& tail = in.detection.tails[i];
        double length = 0;
        for (const int p : tail.points) length = std::max(length, tail.along[at(p)]);
        for (const int p : tail.points) of_point[at(p)] = viridis(length > 0 ? tail.along[at(p)] / length : 0);
        view.legend.push_back(
            {fmt::format("tip of tail {}: {:.3g} m", i + 1, length * in.world.meters_per_bind_unit()), viridis(1)});
    }
    view.colours = spread(in.weld, of_point);
    const auto lines = skeleton_legend(in);
    view.legend.insert(view.legend.end(), lines.begin(), lines.end());
    return view;
}

DebugView skeleton_view(const Inspected& in, const Scene& scene)
{
    DebugView view{"skeleton", skeleton_legend(in), {}, skeleton_lines(in, scene), {}};
    view.colours.assign(in.weld.point_of_vertex.size(), see_through(kBodyColour));
    return view;
}

} // namespace

DebugRig make_debug_rig(const Inspected& in, const DetectOptions& options)
{
    const Scene scene = scene_of(in);
    DebugRig rig;
    for (const auto& p : in.character.mesh.positions) rig.positions.push_back(scene(p));
    rig.normals = smooth_normals(in.weld, scene);
    rig.triangles = in.character.mesh.triangles;
    const Eigen::Vector3d left = scene.from_bind.linear() * in.roles.frame.left;
    const Eigen::Vector3d level(left.x(), 0, left.z());
    if (level.norm() > 0) rig.left = level.normalized();
    rig.views.push_back(distance_view(in, options.cluster.far));
    rig.views.push_back(pieces_view(in, scene, options.sections.least_score));
    rig.views.push_back(classes_view(in));
    if (!in.detection.tails.empty()) rig.views.push_back(along_view(in, scene));
    rig.views.push_back(skeleton_view(in, scene));
    return rig;
}

} // namespace tailfix
