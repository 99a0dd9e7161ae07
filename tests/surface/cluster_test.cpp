#include <tailfix/surface/cluster.h>

#include <algorithm>

#include <tailfix/surface/distance_field.h>

#include "support/catch.h"
#include "support/characters.h"

using namespace tailfix;

namespace {

// A tube along -z whose skin counts as far where `far(ring)` says so (D 1 against a limit of 0.5).
std::vector<FarPiece> cluster_rings(const Weld& weld, int sides, bool (*far)(int ring))
{
    std::vector<double> distance;
    for (std::size_t p = 0; p < weld.points.size(); ++p) distance.push_back(far(static_cast<int>(p) / sides) ? 1 : 0);
    ClusterOptions options;
    options.far = 0.5;
    return cluster_far_skin(weld, distance, 1, options);
}

} // namespace

TEST_CASE("far rings of a tube are pieces, and the rings beside them their collars", "[surface][cluster]")
{
    support::Tube tube;
    tube.rings = 20;
    tube.sides = 8;
    const Weld weld = weld_vertices(support::make_tube(tube));
    const auto pieces = cluster_rings(weld, 8, [](int ring) { return ring >= 15 || (ring >= 3 && ring < 7); });
    REQUIRE(pieces.size() == 2);
    REQUIRE(pieces[0].points.size() == 4 * 8);
    CHECK(pieces[0].points.front() == 3 * 8);
    CHECK(std::is_sorted(pieces[0].points.begin(), pieces[0].points.end()));
    REQUIRE(pieces[0].collar.size() == 2 * 8); // the rings on both sides
    CHECK(pieces[0].collar.front() == 2 * 8);
    CHECK(pieces[0].collar.back() == 8 * 8 - 1);
    CHECK(pieces[1].points.size() == 5 * 8);
    CHECK(pieces[1].collar.size() == 8);
}

TEST_CASE("a shell that is far as a whole has no collar", "[surface][cluster]")
{
    const Weld weld = weld_vertices(support::make_tube());
    const auto pieces = cluster_rings(weld, 24, [](int) { return true; });
    REQUIRE(pieces.size() == 1);
    CHECK(pieces[0].points.size() == weld.points.size());
    CHECK(pieces[0].collar.empty());
}

TEST_CASE("seams do not cut a piece, and degenerate meshes have none", "[surface][cluster]")
{
    support::CatOptions options;
    const auto cat = support::make_cat(options);
    options.seams = true;
    const auto split = support::make_cat(options);
    REQUIRE(split.character.mesh.vertex_count() > cat.character.mesh.vertex_count());
    const auto far_pieces = [](const support::Cat& c) {
        const Weld weld = weld_vertices(c.character.mesh);
        return cluster_far_skin(weld, distance_to_bones(weld.points, c.roles.bones), c.roles.height);
    };
    const auto whole = far_pieces(cat), welded = far_pieces(split);
    REQUIRE(welded.size() == whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(welded[i].points == whole[i].points);

    CHECK(cluster_far_skin(Weld{}, {}, 1).empty());
    Weld loose; // points without triangles
    loose.points.assign(3, Eigen::Vector3d::Zero());
    CHECK(cluster_far_skin(loose, {1, 0, 1}, 1).size() == 2);
}
