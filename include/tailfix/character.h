// A rigged character as plain data: what tailfix reads of a file, and what its stages work on.
//
// Spaces (glTF 2.0, 3.7.3):
//   mesh space   where a primitive's POSITION lives. The transform of a skinned mesh's own node does not count.
//   bind space   mesh space of the rig's first skin. Everything in Mesh and Joint is in bind space.
//   joint space  a joint's own frame; bind_from_joint is the inverse of its inverse bind matrix.
//   world space  the scene: +Y up, in the file's unit (the metre, when the file is sound).
// Stored node poses are not the bind pose: an exporter may have left any frame of any clip in the nodes.
//
// Transforms are named target_from_source; matrices act on column vectors; quaternions are unit. Indices are int.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tailfix {

inline constexpr int kNone = -1; // no parent, no joint

// A node of the file's scene graph, with its stored local transform (parent_from_node).
struct Node {
    std::string name;
    int parent = kNone; // node index
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Eigen::Vector3d scale = Eigen::Vector3d::Ones();
    std::optional<Eigen::Matrix4d> matrix; // where the file gives a matrix; then it stands for the three above
};

// A node that is a joint of at least one skin of the rig.
struct Joint {
    std::string name;   // of its node; may be empty
    int node = kNone;   // index into Character::nodes
    int parent = kNone; // nearest ancestor that is a joint of the rig; always smaller than the joint's own index
    Eigen::Matrix4d bind_from_joint = Eigen::Matrix4d::Identity();
    // Where the bone of a leaf joint ends, when the file has a child node outside the skin (HeadTop_End): bind space.
    std::optional<Eigen::Vector3d> helper_end;

    Eigen::Vector3d position() const { return bind_from_joint.topRightCorner<3, 1>(); }
};

struct Skin {
    int skin = 0;            // index in the file
    std::vector<int> joints; // per slot (what JOINTS_n stores): index into Character::joints
    Eigen::Matrix4d bind_from_mesh = Eigen::Matrix4d::Identity();
};

// A run of vertices that came from one primitive of the file.
struct Primitive {
    int node = kNone; // the node that places the mesh and the skin
    int mesh = 0;
    int primitive = 0;
    int skin = 0; // index into Character::skins
    int first_vertex = 0;
    int vertex_count = 0;
};

struct Influence {
    int joint = 0;     // index into Character::joints
    double weight = 0; // over 0, at most 1
};

// The skin: every triangle of every skinned primitive of the rig, as one mesh in bind space.
struct Mesh {
    std::vector<Eigen::Vector3d> positions; // finite
    std::vector<Eigen::Vector3i> triangles; // vertex indices, in range; may be degenerate
    std::vector<int> first_influence;       // size vertices + 1; influences of v are [first[v], first[v + 1])
    std::vector<Influence> influences; // per vertex: distinct joints, sum 1 (or none where the file has only zeros)
    std::vector<Primitive> primitives; // cover the vertices in order

    int vertex_count() const { return static_cast<int>(positions.size()); }
};

enum class Interpolation { Step, Linear, CubicSpline };
enum class Path { Translation, Rotation, Scale };

// The keys of one channel. values holds, per key, 3 (translation, scale) or 4 (rotation x y z w) numbers; for
// CubicSpline three such groups per key: in-tangent, value, out-tangent.
struct Track {
    int node = kNone;
    Path path = Path::Rotation;
    Interpolation interpolation = Interpolation::Linear;
    std::vector<float> times; // seconds, ascending, at least one
    std::vector<float> values;
};

struct Clip {
    std::string name;
    int animation = 0; // index in the file
    double start = 0;  // seconds: first and last key over every sampler of the animation
    double end = 0;
    std::vector<Track> tracks; // those that move a node; morph weights are left out
};

// One rig: all skins that share joints, their meshes, and the clips of the file.
struct Character {
    std::vector<Node> nodes;     // every node of the file, in file order (later stages append)
    std::vector<int> node_order; // all nodes, parents before children
    std::vector<Joint> joints;   // parents before children
    std::vector<Skin> skins;
    Mesh mesh;
    std::vector<Clip> clips;
    std::vector<std::string> warnings; // what was odd about the file but could be lived with
};

} // namespace tailfix
