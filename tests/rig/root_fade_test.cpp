#include "rig/root_fade.h"

#include <cmath>
#include <limits>
#include <vector>

#include "rig/harmonic.h"
#include "support/catch.h"

using namespace tailfix;

namespace {

// A strip of quads along x, two points wide: joint 0 is the attachment, and the skin follows joint 1 in one row and
// joint 2 in the other, by 0.8 each.
struct Strip {
    Character character;
    Weld weld;
    FadeZone zone;
};

Strip make_strip(int columns)
{
    Strip strip;
    strip.character.joints.resize(3);
    Mesh& mesh = strip.character.mesh;
    mesh.first_influence = {0};
    for (int i = 0; i < columns; ++i) {
        for (int row = 0; row < 2; ++row) {
            strip.weld.points.emplace_back(0.1 * i, 0.1 * row, 0);
            strip.weld.point_of_vertex.push_back(2 * i + row);
            mesh.positions.push_back(strip.weld.points.back());
            mesh.influences.push_back({1 + row, 0.8});
            mesh.influences.push_back({0, 0.2});
            mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
            strip.zone.along.push_back(0.1 * (columns - 1 - i) * -1);
        }
        if (i == 0) continue;
        strip.weld.triangles.emplace_back(2 * i - 2, 2 * i, 2 * i - 1);
        strip.weld.triangles.emplace_back(2 * i - 1, 2 * i, 2 * i + 1);
    }
    strip.zone.radius = 0.2;
    strip.zone.outer = -0.1 * (columns - 1) + 0.05;
    strip.zone.inner = -0.05;
    return strip;
}

double kept_of(const RootFade& fade, const Strip& strip, int point, int joint)
{
    const auto skinning = gather_skinning(strip.character, strip.weld);
    const double along = strip.zone.along[static_cast<std::size_t>(point)];
    double weight = 0;
    for (const auto& w : fade.apply(common_weights(skinning, point), point, along))
        if (w.joint == joint) weight += w.weight;
    return weight;
}

} // namespace

TEST_CASE("a harmonic function along a line is linear in length", "[rig][weights]")
{
    const std::vector<double> x = {0, 1, 1.5, 4, 4.25, 10};
    Eigen::MatrixXd values = Eigen::MatrixXd::Constant(6, 2, 7);
    values.row(0) << 0, 1;
    values.row(5) << 10, -1;
    std::vector<SkinEdge> edges;
    for (int i = 0; i < 5; ++i)
        edges.push_back({i, i + 1, x[static_cast<std::size_t>(i) + 1] - x[static_cast<std::size_t>(i)]});
    const auto filled = fill_harmonic(values, {false, true, true, true, true, false}, edges);
    for (int i = 0; i < 6; ++i) {
        CHECK(filled(i, 0) == Approx(x[static_cast<std::size_t>(i)]).margin(1e-6));
        CHECK(filled(i, 1) == Approx(1 - 0.2 * x[static_cast<std::size_t>(i)]).margin(1e-6));
    }
}

TEST_CASE("a free point that nothing fixed is joined to keeps its value", "[rig][weights]")
{
    Eigen::MatrixXd values(3, 1);
    values << 1, 0.25, 0.25;
    const auto filled = fill_harmonic(values, {false, true, true}, {{1, 2, 1.0}});
    CHECK(filled(1, 0) == Approx(0.25));
    CHECK(filled(2, 0) == Approx(0.25));
}

TEST_CASE("around a root, weights fall from the file's to none, and none ever grows", "[rig][weights]")
{
    const int columns = GENERATE(12, 40);
    const Strip strip = make_strip(columns);
    const auto fade = fade_root(gather_skinning(strip.character, strip.weld), strip.weld, strip.zone);
    CHECK(kept_of(fade, strip, 0, 1) == 0.8); // beyond the zone: the file's
    CHECK(kept_of(fade, strip, 1, 2) == 0.8);
    double last = 0.8;
    for (int i = 0; i < columns; ++i) {
        const double left = kept_of(fade, strip, 2 * i, 1);
        CHECK(left <= last + 1e-9);
        CHECK(kept_of(fade, strip, 2 * i, 2) == 0); // joint 2 has the other row only
        CHECK(kept_of(fade, strip, 2 * i, 0) == 0.2);
        last = left;
    }
    CHECK(kept_of(fade, strip, 2 * columns - 2, 1) == 0);
    CHECK(kept_of(fade, strip, 2 * columns - 1, 2) == 0);
}
