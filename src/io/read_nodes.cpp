#include "io/read.h"

#include <algorithm>

#include <fmt/format.h>

namespace tailfix::io {

std::string label(const char* kind, int index, const std::string& name)
{
    return name.empty() ? fmt::format("{} {}", kind, index) : fmt::format("{} {} (\"{}\")", kind, index, name);
}

std::vector<Node> read_nodes(const SourceDocument& source)
{
    const auto& stored = source.model.nodes;
    std::vector<Node> nodes(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const tinygltf::Node& from = stored[i];
        Node& node = nodes[i];
        node.name = from.name;
        for (const int child : from.children) nodes[static_cast<std::size_t>(child)].parent = static_cast<int>(i);
        if (from.matrix.size() == 16) node.matrix = Eigen::Map<const Eigen::Matrix4d>(from.matrix.data());
        if (from.translation.size() == 3) node.translation = Eigen::Map<const Eigen::Vector3d>(from.translation.data());
        if (from.scale.size() == 3) node.scale = Eigen::Map<const Eigen::Vector3d>(from.scale.data());
        // glTF stores x y z w, as Eigen keeps its coefficients.
        if (from.rotation.size() == 4)
            node.rotation = Eigen::Quaterniond(Eigen::Map<const Eigen::Vector4d>(from.rotation.data())).normalized();
    }
    return nodes;
}

std::vector<int> order_nodes(const SourceDocument& source, const std::vector<Node>& nodes)
{
    std::vector<int> order, open;
    order.reserve(nodes.size());
    for (std::size_t root = 0; root < nodes.size(); ++root) {
        if (nodes[root].parent != kNone) continue;
        open.push_back(static_cast<int>(root));
        while (!open.empty()) {
            const int node = open.back();
            open.pop_back();
            order.push_back(node);
            const auto& children = source.model.nodes[static_cast<std::size_t>(node)].children;
            open.insert(open.end(), children.rbegin(), children.rend());
        }
    }
    return order;
}

std::vector<int> skinned_nodes(const SourceDocument& source)
{
    const auto is_skinned = [](const tinygltf::Primitive& primitive) {
        return primitive.attributes.contains("JOINTS_0");
    };
    std::vector<int> found;
    for (std::size_t i = 0; i < source.model.nodes.size(); ++i) {
        const tinygltf::Node& node = source.model.nodes[i];
        if (node.mesh < 0 || node.skin < 0) continue;
        const auto& primitives = source.model.meshes[static_cast<std::size_t>(node.mesh)].primitives;
        if (std::any_of(primitives.begin(), primitives.end(), is_skinned)) found.push_back(static_cast<int>(i));
    }
    return found;
}

} // namespace tailfix::io
