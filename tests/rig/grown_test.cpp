#include <tailfix/rig/grown.h>

#include <algorithm>

#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;

namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

// A rig that has its chain, as a file of an earlier run has it: under the names of that run, with keys.
struct Baked {
    Rig rig;
    Character character;

    explicit Baked(const RigOptions& options = {}, const std::string& base = "Tail") : rig(make_rig(options))
    {
        add_clip(rig, "Sway", 1, [](double t) { return swaying(t, 1); });
        character = rig.rigged.character;
        const JointChain& chain = rig.rigged.chains[0];
        for (std::size_t i = 0; i < chain.links.size(); ++i) rename(chain.links[i], base + "_" + std::to_string(i + 1));
        rename(chain.end, base + "_End");
        for (const BakedClip& clip : bake(rig))
            for (const BakedTrack& track : clip.tracks) {
                Track keys{joint(track.joint).node, Path::Rotation, Interpolation::Linear, track.times, {}};
                for (const auto& q : track.rotations)
                    keys.values.insert(keys.values.end(), {q.x(), q.y(), q.z(), q.w()});
                character.clips[at(clip.clip)].tracks.push_back(std::move(keys));
            }
    }
    const JointChain& chain() const { return rig.rigged.chains[0]; }
    Joint& joint(int j) { return character.joints[at(j)]; }
    Node& node(int j) { return character.nodes[at(joint(j).node)]; }
    void rename(int j, const std::string& name) { joint(j).name = node(j).name = name; }
};

bool same_tracks(const Clip& a, const Clip& b)
{
    return a.tracks.size() == b.tracks.size() &&
           std::equal(a.tracks.begin(), a.tracks.end(), b.tracks.begin(),
                      [](const Track& x, const Track& y) { return x.node == y.node && x.values == y.values; });
}

} // namespace

TEST_CASE("a chain is known by its names and its bind pose, in any armature", "[grown]")
{
    RigOptions options;
    const int kind = GENERATE(0, 1, 2, 3);
    if (kind == 1) options.bind_scale = 0.01;
    if (kind == 2) options.hips_frame = about({1, 2, 3}, 70);
    if (kind == 3) options.links = 1;
    const std::string base = GENERATE("Tail", "Tail2", "Tail13");
    const Baked baked(options, base);
    const Grown grown = find_grown_chains(baked.character);
    REQUIRE(grown.chains.size() == 1);
    CHECK(grown.chains[0].name == base);
    CHECK(grown.chains[0].attach == baked.chain().attach);
    CHECK(grown.chains[0].links == baked.chain().links);
    CHECK(grown.chains[0].end == baked.chain().end);
}

TEST_CASE("without its chain a character has no skin and no keys on it, and nothing else less", "[grown]")
{
    const Baked baked;
    const Grown grown = find_grown_chains(baked.character);
    REQUIRE(grown.without.has_value());
    const Character& bare = *grown.without;
    CHECK(bare.joints.size() == baked.character.joints.size());
    const auto is_link = [&](int j) {
        return std::count(baked.chain().links.begin(), baked.chain().links.end(), j) > 0;
    };
    for (std::size_t v = 0; v < bare.mesh.positions.size(); ++v) {
        double before = 0, after = 0, sum = 0;
        const auto share = [&](const Mesh& mesh, double& on_attach) {
            for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
                const Influence& w = mesh.influences[at(i)];
                if (w.joint == baked.chain().attach || is_link(w.joint)) on_attach += w.weight;
            }
        };
        share(baked.character.mesh, before);
        share(bare.mesh, after);
        for (int i = bare.mesh.first_influence[v]; i < bare.mesh.first_influence[v + 1]; ++i) {
            REQUIRE_FALSE(is_link(bare.mesh.influences[at(i)].joint));
            sum += bare.mesh.influences[at(i)].weight;
        }
        REQUIRE(after == Approx(before));
        REQUIRE(sum == Approx(1));
    }
    CHECK(same_tracks(bare.clips[0], baked.rig.rigged.character.clips[0]));
    CHECK_FALSE(same_tracks(bare.clips[0], baked.character.clips[0]));
}

TEST_CASE("a chain that someone else made or changed is not ours", "[grown]")
{
    Baked baked;
    const int second = baked.chain().links[1];
    SECTION("another name")
    {
        baked.rename(baked.chain().links[GENERATE(0u, 1u)],
                     GENERATE("tail_1", "Tail_01", "Tail1_1", "Tail02_1", "Tail_", "Rope_1"));
    }
    SECTION("no end, or one that the skin follows")
    {
        if (GENERATE(true, false))
            baked.rename(baked.chain().end, "Tail_5");
        else
            baked.character.mesh.influences.back().joint = baked.chain().end;
    }
    SECTION("a bone that is turned, stretched or moved")
    {
        const int kind = GENERATE(0, 1, 2, 3);
        Eigen::Matrix4d& bind = baked.joint(second).bind_from_joint;
        if (kind == 0) bind.topLeftCorner<3, 3>() *= about({1, 0, 0}, 1).toRotationMatrix();
        if (kind == 1) bind.topLeftCorner<3, 3>() *= 1.01;
        if (kind == 2) baked.node(second).translation.x() += 0.01;
        if (kind == 3) baked.node(second).scale.x() = 1.01;
    }
    SECTION("a branch, or a joint on the tip")
    {
        Joint more = baked.joint(baked.chain().end);
        more.parent = GENERATE(true, false) ? second : baked.chain().end;
        more.name = "more";
        baked.character.joints.push_back(more);
    }
    SECTION("keys that move it")
    {
        baked.character.clips[0].tracks.push_back(
            {baked.joint(second).node, Path::Translation, Interpolation::Linear, {0}, {0, 0, 0}});
    }
    SECTION("a node between two joints")
    {
        Node between;
        between.parent = baked.node(second).parent;
        baked.node(second).parent = static_cast<int>(baked.character.nodes.size());
        baked.character.nodes.push_back(between);
    }
    SECTION("no skin at all")
    {
        for (Influence& w : baked.character.mesh.influences) w.joint = baked.chain().attach;
    }
    const Grown grown = find_grown_chains(baked.character);
    CHECK(grown.chains.empty());
    CHECK_FALSE(grown.without.has_value());
}

TEST_CASE("a chain that is taken up moves as a new one does, whatever pose and keys it had", "[grown]")
{
    Baked baked;
    const auto expected = bake(baked.rig);
    for (const int link : baked.chain().links) baked.node(link).rotation = about({0, 1, 0}, 40);
    const Grown grown = find_grown_chains(baked.character);
    REQUIRE(grown.chains.size() == 1);
    Rigged bare;
    bare.character = baked.character;
    bare.first_new_joint = static_cast<int>(baked.character.joints.size());
    bare.vertex_changed.assign(baked.character.mesh.positions.size(), false);
    Rig again = baked.rig;
    again.rigged = take_up_chains(bare, grown.chains);
    REQUIRE(again.rigged.chains.size() == 1);
    for (const int link : again.rigged.chains[0].links)
        CHECK(again.rigged.character.nodes[at(again.rigged.character.joints[at(link)].node)].rotation.w() == 1);
    const auto repeated = bake(again);
    REQUIRE(repeated.size() == expected.size());
    for (std::size_t i = 0; i < expected[0].tracks.size(); ++i) {
        CHECK((repeated[0].tracks[i].times == expected[0].tracks[i].times));
        const auto& a = repeated[0].tracks[i].rotations;
        const auto& b = expected[0].tracks[i].rotations;
        CHECK((std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const auto& x, const auto& y) { return x.coeffs() == y.coeffs(); })));
    }
}
