#include "rig/skinning.h"

#include <algorithm>

namespace tailfix {
namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

} // namespace

Skinning gather_skinning(const Character& character, const Weld& weld)
{
    Skinning skinning{character, std::vector<int>(weld.points.size() + 1, 0), {}};
    for (const int p : weld.point_of_vertex) ++skinning.first[at(p) + 1];
    for (std::size_t p = 0; p < weld.points.size(); ++p) skinning.first[p + 1] += skinning.first[p];
    skinning.vertices.resize(weld.point_of_vertex.size());
    std::vector<int> filled(skinning.first.begin(), skinning.first.end() - 1);
    for (int v = 0; v < static_cast<int>(weld.point_of_vertex.size()); ++v)
        skinning.vertices[at(filled[at(weld.point_of_vertex[at(v)])]++)] = v;
    return skinning;
}

std::vector<Influence> common_weights(const Skinning& skinning, int point)
{
    const Mesh& mesh = skinning.character.mesh;
    const auto influences = [&](int v) {
        return std::vector<Influence>(mesh.influences.begin() + mesh.first_influence[at(v)],
                                      mesh.influences.begin() + mesh.first_influence[at(v) + 1]);
    };
    const int begin = skinning.first[at(point)];
    std::vector<Influence> common = influences(skinning.vertices[at(begin)]);
    for (int i = begin + 1; i < skinning.first[at(point) + 1]; ++i) {
        const auto other = influences(skinning.vertices[at(i)]);
        for (auto& c : common) {
            const auto same =
                std::find_if(other.begin(), other.end(), [&](const Influence& o) { return o.joint == c.joint; });
            c.weight = same == other.end() ? 0 : std::min(c.weight, same->weight);
        }
    }
    return common;
}

double other_weight(const std::vector<Influence>& weights, int joint)
{
    double sum = 0;
    for (const auto& w : weights)
        if (w.joint != joint) sum += w.weight;
    return sum;
}

} // namespace tailfix
