#include "surface/point_graph.h"

#include <algorithm>

namespace tailfix {

PointGraph build_point_graph(const Weld& weld)
{
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const std::size_t count = weld.points.size();

    // === Every triangle gives each corner its two neighbours; inner edges appear twice.
    std::vector<int> first(count + 1, 0);
    for (const auto& t : weld.triangles)
        for (int corner = 0; corner < 3; ++corner) first[at(t[corner]) + 1] += 2;
    for (std::size_t p = 0; p < count; ++p) first[p + 1] += first[p];
    std::vector<int> target(at(first[count]));
    std::vector<int> filled(first.begin(), first.end() - 1);
    for (const auto& t : weld.triangles)
        for (int corner = 0; corner < 3; ++corner) {
            int& slot = filled[at(t[corner])];
            target[at(slot++)] = t[(corner + 1) % 3];
            target[at(slot++)] = t[(corner + 2) % 3];
        }

    // === Sorted and made unique, so that the graph does not depend on the order of the triangles.
    PointGraph graph;
    graph.first.reserve(count + 1);
    graph.edges.reserve(target.size() / 2);
    graph.first.push_back(0);
    for (std::size_t p = 0; p < count; ++p) {
        const auto begin = target.begin() + first[p];
        auto end = target.begin() + first[p + 1];
        std::sort(begin, end);
        end = std::unique(begin, end);
        for (auto q = begin; q != end; ++q) graph.edges.push_back({*q, (weld.points[at(*q)] - weld.points[p]).norm()});
        graph.first.push_back(static_cast<int>(graph.edges.size()));
    }
    return graph;
}

} // namespace tailfix
