#include "motion/kinematics.h"

#include <algorithm>
#include <cmath>

namespace tailfix {

namespace {

Eigen::Affine3d compose(const Eigen::Vector3d& translation, const Eigen::Quaterniond& rotation,
                        const Eigen::Vector3d& scale)
{
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    out.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
    out.translation() = translation;
    return out;
}

Eigen::Affine3d stored_local(const Node& node)
{
    if (node.matrix) return Eigen::Affine3d(*node.matrix);
    return compose(node.translation, node.rotation.normalized(), node.scale);
}

Eigen::Vector4d value_at(const Track& track, std::size_t group)
{
    const std::size_t width = track.path == Path::Rotation ? 4 : 3;
    Eigen::Vector4d out = Eigen::Vector4d::Zero();
    for (std::size_t c = 0; c < width; ++c)
        out[static_cast<int>(c)] = static_cast<double>(track.values[group * width + c]);
    return out;
}

Eigen::Vector4d unit(const Track& track, const Eigen::Vector4d& value)
{
    if (track.path != Path::Rotation) return value;
    const double norm = value.norm();
    return norm > 0 ? Eigen::Vector4d(value / norm) : Eigen::Vector4d(0, 0, 0, 1);
}

// glTF 2.0, appendix C.5: f is the place between the keys, gap their distance in seconds.
Eigen::Vector4d cubic(const Track& track, std::size_t key, double f, double gap)
{
    const double f2 = f * f, f3 = f2 * f;
    const Eigen::Vector4d from = value_at(track, 3 * key + 1), out_tangent = value_at(track, 3 * key + 2);
    const Eigen::Vector4d to = value_at(track, 3 * key + 4), in_tangent = value_at(track, 3 * key + 3);
    return unit(track, (2 * f3 - 3 * f2 + 1) * from + gap * (f3 - 2 * f2 + f) * out_tangent + (3 * f2 - 2 * f3) * to +
                           gap * (f3 - f2) * in_tangent);
}

} // namespace

Eigen::Vector4d sample_track(const Track& track, double time)
{
    const bool spline = track.interpolation == Interpolation::CubicSpline;
    const auto held = [&](std::size_t key) { return unit(track, value_at(track, spline ? 3 * key + 1 : key)); };
    const auto& times = track.times;
    const auto after =
        static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time,
                                                  [](double t, float key) { return t < static_cast<double>(key); }) -
                                 times.begin());
    if (after == 0) return held(0);
    if (after == times.size()) return held(after - 1);
    const std::size_t key = after - 1;
    if (track.interpolation == Interpolation::Step) return held(key);
    const double gap = static_cast<double>(times[after]) - static_cast<double>(times[key]);
    const double f = (time - static_cast<double>(times[key])) / gap;
    if (spline) return cubic(track, key, f, gap);
    if (track.path != Path::Rotation) return (1 - f) * value_at(track, key) + f * value_at(track, after);
    return Eigen::Quaterniond(held(key)).slerp(f, Eigen::Quaterniond(held(after))).coeffs();
}

ClipSampler::ClipSampler(const Character& character, const Clip* clip)
    : character_(&character), slot_(character.nodes.size(), kNone)
{
    stored_.reserve(character.nodes.size());
    for (const Node& node : character.nodes) stored_.push_back(stored_local(node));
    if (clip == nullptr) return;
    for (const Track& track : clip->tracks) add(track);
}

void ClipSampler::add(const Track& track)
{
    const auto node = static_cast<std::size_t>(track.node);
    // glTF forbids tracks on a node that is given by a matrix; such a node stays where it is.
    if (character_->nodes[node].matrix || track.times.empty()) return;
    if (slot_[node] == kNone) {
        slot_[node] = static_cast<int>(tracks_.size());
        tracks_.push_back({nullptr, nullptr, nullptr});
    }
    tracks_[static_cast<std::size_t>(slot_[node])][static_cast<std::size_t>(track.path)] = &track;
}

bool ClipSampler::animates(int node) const
{
    return slot_[static_cast<std::size_t>(node)] != kNone;
}

Eigen::Affine3d ClipSampler::local(int node, double time) const
{
    const auto n = static_cast<std::size_t>(node);
    if (slot_[n] == kNone) return stored_[n];
    const auto& [translation, rotation, scale] = tracks_[static_cast<std::size_t>(slot_[n])];
    const Node& stored = character_->nodes[n];
    return compose(translation ? Eigen::Vector3d(sample_track(*translation, time).head<3>()) : stored.translation,
                   rotation ? Eigen::Quaterniond(sample_track(*rotation, time)) : stored.rotation.normalized(),
                   scale ? Eigen::Vector3d(sample_track(*scale, time).head<3>()) : stored.scale);
}

std::vector<Eigen::Affine3d> ClipSampler::world(double time) const
{
    std::vector<Eigen::Affine3d> out(character_->nodes.size(), Eigen::Affine3d::Identity());
    for (const int node : character_->node_order) {
        const auto n = static_cast<std::size_t>(node);
        const int parent = character_->nodes[n].parent;
        const Eigen::Affine3d here = local(node, time);
        out[n] = parent == kNone ? here : out[static_cast<std::size_t>(parent)] * here;
    }
    return out;
}

std::vector<int> path_to_node(const Character& character, int node)
{
    std::vector<int> path;
    for (int n = node; n != kNone; n = character.nodes[static_cast<std::size_t>(n)].parent) path.push_back(n);
    std::reverse(path.begin(), path.end());
    return path;
}

Eigen::Affine3d world_along(const ClipSampler& sampler, const std::vector<int>& path, double time)
{
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    for (const int node : path) out = out * sampler.local(node, time);
    return out;
}

std::vector<Eigen::Affine3d> inverse_binds(const Character& character)
{
    std::vector<Eigen::Affine3d> out;
    out.reserve(character.joints.size());
    for (const Joint& joint : character.joints) out.push_back(Eigen::Affine3d(joint.bind_from_joint).inverse());
    return out;
}

std::vector<Eigen::Affine3d> skin_matrices(const Character& character,
                                           const std::vector<Eigen::Affine3d>& joint_from_bind,
                                           const std::vector<Eigen::Affine3d>& world_from_node)
{
    std::vector<Eigen::Affine3d> out;
    out.reserve(character.joints.size());
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        out.push_back(world_from_node[static_cast<std::size_t>(character.joints[j].node)] * joint_from_bind[j]);
    return out;
}

Eigen::Vector3d skin_vertex(const Mesh& mesh, const std::vector<Eigen::Affine3d>& skin_matrices, int vertex)
{
    const auto v = static_cast<std::size_t>(vertex);
    Eigen::Vector3d out = Eigen::Vector3d::Zero();
    for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
        const Influence& influence = mesh.influences[static_cast<std::size_t>(i)];
        out += influence.weight * (skin_matrices[static_cast<std::size_t>(influence.joint)] * mesh.positions[v]);
    }
    return out;
}

double mean_scale(const Eigen::Matrix3d& linear)
{
    return std::cbrt(std::abs(linear.determinant()));
}

// Newton's iteration X <- (X + X^-T) / 2 converges quadratically to the orthogonal factor (N. Higham, "Computing the
// polar decomposition", 1986): two rounds when the map is a rotation and a scale up to float rounding.
Eigen::Matrix3d orthogonal_factor(const Eigen::Matrix3d& linear, const Eigen::Matrix3d& otherwise)
{
    const double scale = mean_scale(linear);
    if (!(scale > 1e-12 * linear.norm()) || !std::isfinite(scale)) return otherwise;
    Eigen::Matrix3d x = linear / scale;
    for (int round = 0; round < 40; ++round) {
        const Eigen::Matrix3d next = 0.5 * (x + x.inverse().transpose());
        const double change = (next - x).squaredNorm();
        x = next;
        if (change < 1e-24) break; // the error after a round is the square of the change
    }
    return x;
}

// (1 + a.b, a x b) is the rotation by twice half the angle, not yet unit.
Eigen::Quaterniond swing(const Eigen::Vector3d& a, const Eigen::Vector3d& b)
{
    const double real = 1 + a.dot(b);
    if (real > 1e-14) {
        const Eigen::Vector3d imaginary = a.cross(b);
        return Eigen::Quaterniond(real, imaginary.x(), imaginary.y(), imaginary.z()).normalized();
    }
    Eigen::Vector3d axis = Eigen::Vector3d::UnitX().cross(a);
    if (axis.squaredNorm() < 1e-12) axis = Eigen::Vector3d::UnitY();
    axis.normalize();
    return {0, axis.x(), axis.y(), axis.z()};
}

} // namespace tailfix
