// Characters with known tails: the same every time, and their truth fits them.
#include <numeric>

#include <tailfix/io/load.h>

#include "generate/generate.h"
#include "generate/parts.h"
#include "support/catch.h"
#include "support/glb.h"

using namespace tailfix;
using namespace tailfix::test;

namespace {

Character load_generated(const generate::Generated& made)
{
    const TemporaryFolder folder;
    ByteList bytes(made.glb.size());
    std::memcpy(bytes.data(), made.glb.data(), made.glb.size());
    const auto loaded = load(folder.put(made.name + ".glb", bytes));
    REQUIRE(loaded.characters.size() == 1);
    return loaded.characters.front();
}

double tail_share(const nlohmann::json& truth)
{
    double tail = 0, all = 0;
    for (const auto& p : truth.at("primitives")) {
        for (const auto& t : p.at("tail")) tail += t.get<double>();
        all += p.at("count").get<double>();
    }
    return tail / all;
}

// Seeds of few vertices with every construction among them (--list shows them): the tests stay quick.
bool is_small(int seed)
{
    return generate::make_plan(seed).vertices < 2000;
}

} // namespace

TEST_CASE("a seed gives the same bytes every time, and another seed others", "[generate]")
{
    const auto one = generate::generate(5, true);
    const auto again = generate::generate(5, true);
    CHECK(one.glb == again.glb);
    CHECK(one.truth == again.truth);
    CHECK(one.name == "seed-005");
    CHECK(generate::generate(14, true).glb != one.glb);
}

TEST_CASE("the truth of a generated character has a value for every vertex of its file", "[generate]")
{
    for (int seed = 0; seed < 40; ++seed) {
        if (!is_small(seed)) continue;
        INFO("seed " << seed);
        const auto made = generate::generate(seed, true);
        const Character character = load_generated(made);
        const auto& primitives = made.truth.at("primitives");
        REQUIRE(character.mesh.primitives.size() == primitives.size());
        for (std::size_t i = 0; i < primitives.size(); ++i) {
            const Primitive& p = character.mesh.primitives[i];
            CHECK(primitives[i].at("mesh") == p.mesh);
            CHECK(primitives[i].at("primitive") == p.primitive);
            CHECK(primitives[i].at("count") == p.vertex_count);
            CHECK(primitives[i].at("tail").size() == static_cast<std::size_t>(p.vertex_count));
        }
        // A stub is a hundredth of a large character, and shells of a long tail as dense as its body.
        CHECK(tail_share(made.truth) > 0.003);
        CHECK(tail_share(made.truth) < 0.75);
    }
}

TEST_CASE("a character's tailless variant has no tail and the same skeleton", "[generate]")
{
    for (int seed = 0; seed < 15; ++seed) {
        if (!is_small(seed)) continue;
        INFO("seed " << seed);
        const auto without = generate::generate(seed, false);
        CHECK(tail_share(without.truth) == 0);
        CHECK(without.truth.at("tails").empty());
        const auto bare = load_generated(without), tailed = load_generated(generate::generate(seed, true));
        REQUIRE(bare.joints.size() == tailed.joints.size());
        for (std::size_t j = 0; j < bare.joints.size(); ++j) CHECK(bare.joints[j].name == tailed.joints[j].name);
    }
}

TEST_CASE("tails begin where their line leaves the body, at its back", "[generate]")
{
    for (int seed = 0; seed < 40; ++seed) {
        if (!is_small(seed)) continue;
        INFO("seed " << seed);
        const auto plan = generate::make_plan(seed);
        const auto rig = generate::make_rig(plan);
        const auto pieces = generate::make_pieces(plan, rig, true);
        REQUIRE(pieces.roots.size() == plan.tails.size());
        const double pelvis = rig.at("pelvis").position.z();
        for (std::size_t t = 0; t < pieces.tails.size(); ++t) {
            const auto& shape = pieces.tails[t];
            CHECK(shape.line[shape.leaves].z() < pelvis);
            REQUIRE(pieces.roots[t].has_value());
            // The crease of a thick root on a sloping back is up to three radii down the tail.
            CHECK((*pieces.roots[t] - shape.line[shape.leaves]).norm() < 3 * plan.tails[t].radius + 0.02);
            for (std::size_t i = shape.leaves; i < shape.line.size(); ++i) CHECK(shape.line[i].y() > shape.radii[i]);
        }
    }
}
