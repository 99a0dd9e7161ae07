#include "support/rig.h"

#include <cmath>
#include <numbers>

namespace tailfix::test {

namespace {

constexpr int kRing = 8;
const Eigen::Vector3d kMirror(-1, 1, 1);

struct Limb {
    int from_joint, to_joint; // weights go over from one to the other at the middle
    Eigen::Vector3d from, to;
    double radius;
};

class Builder {
public:
    explicit Builder(const RigOptions& options) : options_(options) {}

    Rig build()
    {
        rig_.options = options_;
        add_skeleton();
        rig_.input = rig_.rigged.character;
        add_chain();
        add_skin();
        finish();
        return std::move(rig_);
    }

private:
    // Canonical to bind space: bind units, the armature's rotation undone, the geometry mirrored if asked.
    Eigen::Vector3d to_bind(Eigen::Vector3d p) const
    {
        if (options_.geometry_mirrored) p = p.cwiseProduct(kMirror);
        return options_.armature.conjugate() * p / options_.bind_scale;
    }

    Eigen::Matrix3d mirrored_frame(const Eigen::Quaterniond& frame) const
    {
        const Eigen::Matrix3d m = frame.toRotationMatrix();
        if (!options_.geometry_mirrored) return m;
        const Eigen::Matrix3d world_mirror = kMirror.asDiagonal();
        const Eigen::Matrix3d a = options_.armature.toRotationMatrix();
        const Eigen::Matrix3d mirror = a.transpose() * world_mirror * a;
        return mirror * m * world_mirror;
    }

    int add_joint(const std::string& name, int parent, const Eigen::Vector3d& position, const Eigen::Quaterniond& frame)
    {
        Character& c = rig_.rigged.character;
        Joint joint;
        joint.name = name;
        joint.node = static_cast<int>(c.nodes.size());
        joint.parent = parent;
        joint.bind_from_joint.topLeftCorner<3, 3>() = mirrored_frame(frame);
        joint.bind_from_joint.topRightCorner<3, 1>() = to_bind(position);
        const Eigen::Matrix4d parent_bind = parent == kNone
                                                ? Eigen::Matrix4d(Eigen::Matrix4d::Identity())
                                                : c.joints[static_cast<std::size_t>(parent)].bind_from_joint;
        const Eigen::Matrix4d local = parent_bind.inverse() * joint.bind_from_joint;
        Node node;
        node.name = name;
        node.parent = parent == kNone ? 0 : c.joints[static_cast<std::size_t>(parent)].node;
        node.translation = local.topRightCorner<3, 1>();
        node.rotation = Eigen::Quaterniond(Eigen::Matrix3d(local.topLeftCorner<3, 3>()));
        if (options_.other_stored_pose && parent != kNone)
            node.rotation = node.rotation * about(Eigen::Vector3d(1, 2, 3), 28);
        c.nodes.push_back(node);
        c.node_order.push_back(joint.node);
        c.joints.push_back(joint);
        return static_cast<int>(c.joints.size()) - 1;
    }

    void add_skeleton()
    {
        Character& c = rig_.rigged.character;
        Node root;
        root.name = "Armature";
        root.rotation = options_.armature;
        root.scale.setConstant(options_.bind_scale);
        if (options_.world_mirrored) {
            // Mirror after the rest: a matrix, since the armature's rotation comes first.
            Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
            m.topLeftCorner<3, 3>() = kMirror.asDiagonal() * options_.armature.toRotationMatrix() * options_.bind_scale;
            root.matrix = m;
        }
        c.nodes.push_back(root);
        c.node_order.push_back(0);
        const Eigen::Quaterniond frame = options_.hips_frame, none = Eigen::Quaterniond::Identity();
        hips_ = add_joint("Hips", kNone, options_.hips, frame);
        spine_ = add_joint("Spine", hips_, options_.hips + Eigen::Vector3d(0, 0.3, 0), none);
        left_ = add_joint("LeftUpLeg", hips_, options_.hips + Eigen::Vector3d(0.1, -0.05, 0), none);
        right_ = add_joint("RightUpLeg", hips_, options_.hips + Eigen::Vector3d(-0.1, -0.05, 0), none);
    }

    void add_chain()
    {
        JointChain chain;
        chain.name = "Tail";
        chain.attach = hips_;
        rig_.rigged.first_new_node = static_cast<int>(rig_.rigged.character.nodes.size());
        rig_.rigged.first_new_joint = static_cast<int>(rig_.rigged.character.joints.size());
        Eigen::Vector3d at = options_.hips + Eigen::Vector3d(0, -0.05, -0.1);
        int parent = hips_;
        for (int i = 0; i <= options_.links; ++i) {
            path_.push_back(at);
            const bool end = i == options_.links;
            if (!end || options_.end_joint) {
                const bool last = i == options_.links - 1;
                const Eigen::Quaterniond frame =
                    last ? options_.hips_frame * options_.terminal_frame : options_.hips_frame;
                parent = add_joint(end ? "Tail_End" : "Tail_" + std::to_string(i + 1), parent, at, frame);
                end ? void(chain.end = parent) : chain.links.push_back(parent);
            }
            const Eigen::Vector3d direction =
                about(Eigen::Vector3d::UnitX(), options_.tail_curl_deg * i) * options_.tail_direction.normalized();
            at += options_.link_length * direction;
        }
        rig_.rigged.chains.push_back(chain);
    }

    // Rings along a limb; weights(f) of the place along it, from 0 to 1.
    void add_tube(const std::vector<Eigen::Vector3d>& path, double radius,
                  const std::function<std::vector<Influence>(double)>& weights, int rings_per_span = 4)
    {
        Mesh& mesh = rig_.rigged.character.mesh;
        const int first = mesh.vertex_count(), spans = static_cast<int>(path.size()) - 1,
                  rings = spans * rings_per_span;
        for (int r = 0; r <= rings; ++r) {
            const double s = static_cast<double>(r) / rings_per_span;
            const auto k = static_cast<std::size_t>(std::min(static_cast<int>(s), spans - 1));
            const Eigen::Vector3d axis = (path[k + 1] - path[k]).normalized();
            const Eigen::Vector3d centre = path[k] + (s - static_cast<double>(k)) * (path[k + 1] - path[k]);
            const Eigen::Vector3d side =
                (std::abs(axis.x()) < 0.9 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ())
                    .cross(axis)
                    .normalized();
            for (int i = 0; i < kRing; ++i) {
                const double angle = 2 * std::numbers::pi * i / kRing;
                mesh.positions.push_back(
                    to_bind(centre + radius * (std::cos(angle) * side + std::sin(angle) * axis.cross(side))));
                mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
                for (const Influence& influence : weights(s / spans)) mesh.influences.push_back(influence);
            }
        }
        for (int r = 0; r < rings; ++r)
            for (int i = 0; i < kRing; ++i) {
                const int a = first + r * kRing + i, b = first + r * kRing + (i + 1) % kRing;
                mesh.triangles.emplace_back(a, b, a + kRing);
                mesh.triangles.emplace_back(b, b + kRing, a + kRing);
            }
    }

    void add_limb(const Limb& limb)
    {
        add_tube({limb.from, limb.to}, limb.radius, [&](double f) {
            if (limb.from_joint == limb.to_joint) return std::vector<Influence>{{limb.from_joint, 1}};
            if (f <= 0.25 || f >= 0.75) return std::vector<Influence>{{f <= 0.25 ? limb.from_joint : limb.to_joint, 1}};
            return std::vector<Influence>{{limb.from_joint, 1.5 - 2 * f}, {limb.to_joint, 2 * f - 0.5}};
        });
    }

    void add_skin()
    {
        const Eigen::Vector3d h = options_.hips;
        add_limb({hips_, spine_, h - Eigen::Vector3d(0, 0.05, 0), h + Eigen::Vector3d(0, 0.8, 0), 0.12});
        add_limb({hips_, left_, h + Eigen::Vector3d(0.1, 0, 0), Eigen::Vector3d(0.1, 0, 0), 0.05});
        add_limb({hips_, right_, h + Eigen::Vector3d(-0.1, 0, 0), Eigen::Vector3d(-0.1, 0, 0), 0.05});
        const int tail_from = rig_.rigged.character.mesh.vertex_count();
        const std::vector<int> links = rig_.rigged.chains[0].links;
        add_tube(path_, 0.03, [&](double f) {
            const double s = f * options_.links;
            const int k = std::min(static_cast<int>(s), options_.links - 1);
            const double in = s - k;
            const int self = links[static_cast<std::size_t>(k)];
            const int before = k > 0 ? links[static_cast<std::size_t>(k - 1)] : hips_;
            if (in < 0.5) return std::vector<Influence>{{before, 0.5 - in}, {self, 0.5 + in}};
            if (k + 1 < options_.links)
                return std::vector<Influence>{{self, 1.5 - in}, {links[static_cast<std::size_t>(k + 1)], in - 0.5}};
            return std::vector<Influence>{{self, 1}};
        });
        Mesh& mesh = rig_.rigged.character.mesh;
        mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));

        // Before: the same skin, the tail's on the left leg from half its length on, as auto-riggers leave it.
        Mesh& before = rig_.input.mesh;
        before = mesh;
        before.influences.clear();
        const int rings = 4 * options_.links * kRing;
        for (int v = 0; v < mesh.vertex_count(); ++v) {
            before.first_influence[static_cast<std::size_t>(v)] = static_cast<int>(before.influences.size());
            if (v >= tail_from) {
                before.influences.push_back({v - tail_from < rings / 2 ? hips_ : left_, 1});
                continue;
            }
            for (int i = mesh.first_influence[static_cast<std::size_t>(v)];
                 i < mesh.first_influence[static_cast<std::size_t>(v) + 1]; ++i)
                before.influences.push_back(mesh.influences[static_cast<std::size_t>(i)]);
        }
        before.first_influence.back() = static_cast<int>(before.influences.size());
    }

    void finish()
    {
        const Mesh& mesh = rig_.rigged.character.mesh;
        rig_.weld.points = mesh.positions;
        rig_.weld.triangles = mesh.triangles;
        for (int v = 0; v < mesh.vertex_count(); ++v) rig_.weld.point_of_vertex.push_back(v);
        rig_.rigged.vertex_changed.assign(mesh.positions.size(), true);
        Roles& roles = rig_.roles;
        roles.is_character = true;
        roles.pelvis = hips_;
        const Eigen::Quaterniond back = options_.armature.conjugate();
        roles.frame = {back * Eigen::Vector3d::UnitX(), back * Eigen::Vector3d::UnitY(),
                       back * Eigen::Vector3d::UnitZ()};
        roles.height = 1.8 / options_.bind_scale;
        roles.size = roles.height;
        for (const int leg : {left_, right_}) {
            const Eigen::Vector3d head = rig_.rigged.character.joints[static_cast<std::size_t>(leg)].position();
            roles.bones.push_back({leg, head, head - roles.frame.up * 0.9 / options_.bind_scale});
        }
        roles.bones.push_back({hips_, to_bind(options_.hips), to_bind(options_.hips + Eigen::Vector3d(0, 0.3, 0))});
        roles.bones.push_back({spine_, to_bind(options_.hips + Eigen::Vector3d(0, 0.3, 0)),
                               to_bind(options_.hips + Eigen::Vector3d(0, 0.8, 0))});
    }

    RigOptions options_;
    Rig rig_;
    std::vector<Eigen::Vector3d> path_;
    int hips_ = 0, spine_ = 0, left_ = 0, right_ = 0;
};

void push(std::vector<float>& values, double v)
{
    values.push_back(static_cast<float>(v));
}

} // namespace

Eigen::Quaterniond about(const Eigen::Vector3d& axis, double degrees)
{
    return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

Rig make_rig(const RigOptions& options)
{
    return Builder(options).build();
}

void add_clip(Rig& rig, const std::string& name, double length, const std::function<HipsPose(double)>& pose,
              double start, double frames_per_second)
{
    const Joint& hips = rig.rigged.character.joints[0];
    Clip clip;
    clip.name = name;
    clip.animation = static_cast<int>(rig.rigged.character.clips.size());
    Track move{hips.node, Path::Translation, Interpolation::Linear, {}, {}};
    Track turn{hips.node, Path::Rotation, Interpolation::Linear, {}, {}};
    const Eigen::Quaterniond armature = rig.options.armature;
    const Eigen::Quaterniond bind(Eigen::Matrix3d(hips.bind_from_joint.topLeftCorner<3, 3>()));
    const int frames = static_cast<int>(std::lround(length * frames_per_second));
    for (int i = 0; i <= frames; ++i) {
        const double t = length * i / std::max(frames, 1);
        HipsPose at = pose(t);
        if (rig.options.geometry_mirrored) {
            at.position.x() *= -1;
            at.turn = Eigen::Quaterniond(at.turn.w(), at.turn.x(), -at.turn.y(), -at.turn.z());
        }
        const Eigen::Vector3d p = armature.conjugate() * at.position / rig.options.bind_scale;
        const Eigen::Quaterniond q = armature.conjugate() * at.turn * armature * bind;
        push(move.times, start + t);
        for (int c = 0; c < 3; ++c) push(move.values, p[c]);
        for (const double v : {q.x(), q.y(), q.z(), q.w()}) push(turn.values, v);
    }
    turn.times = move.times;
    clip.start = static_cast<double>(move.times.front());
    clip.end = static_cast<double>(move.times.back());
    clip.tracks = {move, turn};
    rig.rigged.character.clips.push_back(clip);
    rig.input.clips.push_back(clip);
}

HipsPose swaying(double time, double period)
{
    const double phase = 2 * std::numbers::pi * time / period;
    return {Eigen::Vector3d(0.06 * std::sin(phase), 1 + 0.02 * std::cos(2 * phase), 0),
            about(Eigen::Vector3d::UnitY(), 12 * std::cos(phase)) *
                about(Eigen::Vector3d::UnitZ(), 5 * std::sin(phase))};
}

HipsPose walking(double time, double period)
{
    HipsPose pose = swaying(time, period);
    pose.position.z() += 1.2 * time;
    return pose;
}

RestArc article_arc(const Rig& rig)
{
    return shape_rest_arc(rig.rigged, 0, rig.roles.frame, 0, 50);
}

std::vector<BakedClip> bake(const Rig& rig, const MotionOptions& options, const Floor& floor, int threads)
{
    return bake_clips(rig.rigged, rig.world(), {article_arc(rig)}, floor, options, threads);
}

} // namespace tailfix::test
