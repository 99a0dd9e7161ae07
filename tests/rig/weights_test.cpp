#include <tailfix/rig/weights.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "support/catch.h"
#include "support/characters.h"

using namespace tailfix;
using Eigen::Vector3d;
using support::Tube;

namespace {

constexpr int kPelvis = 0, kSpine = 1, kThigh = 2, kOther = 3; // joints of the input; links from 4 on
constexpr double kRadius = 0.1;

// A tube of length 2 whose outer half is the tail. Its joints: pelvis, spine, thigh and one other; every
// vertex is 20% pelvis, 30% spine, 40% thigh and 10% the last, as an auto-rigger might.
struct Rig {
    Character character;
    Weld weld;
    std::vector<Tail> tails;
    std::vector<Chain> chains;

    SkinWeights blend(const WeightOptions& options = {}) const
    {
        return blend_weights(character, weld, tails, chains, options);
    }
    double g(int point) const { return tails[0].along[static_cast<std::size_t>(point)]; }
};

Rig make_rig(int rings = 401)
{
    Rig rig;
    Tube tube;
    tube.length = 2;
    tube.rings = rings;
    Mesh& mesh = rig.character.mesh;
    mesh = support::make_tube(tube);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        for (const auto& [joint, weight] :
             std::map<int, double>{{kPelvis, 0.2}, {kSpine, 0.3}, {kThigh, 0.4}, {kOther, 0.1}})
            mesh.influences.push_back({joint, weight});
        mesh.first_influence[v + 1] = static_cast<int>(mesh.influences.size());
    }
    rig.character.joints.resize(4);
    rig.weld = weld_vertices(mesh);
    Tail tail;
    tail.attach = kPelvis;
    tail.root = Vector3d(0, 0, -1);
    tail.root_radius = kRadius;
    for (int p = 0; p < static_cast<int>(rig.weld.points.size()); ++p) {
        const double g = 2.0 * (p / tube.sides) / (rings - 1) - 1;
        tail.along.push_back(g);
        if (g >= 0) tail.points.push_back(p);
    }
    rig.tails = {tail};
    rig.chains = fit_chains(rig.weld, rig.tails, 2.5);
    return rig;
}

double weight_of(const std::vector<Influence>& influences, int joint)
{
    double sum = 0;
    for (const auto& i : influences)
        if (i.joint == joint) sum += i.weight;
    return sum;
}

double links_share(const std::vector<Influence>& influences)
{
    double sum = 0;
    for (const auto& i : influences)
        if (i.joint > kOther) sum += i.weight;
    return sum;
}

void check_sound(const SkinWeights& weights)
{
    int last = -1;
    for (const auto& p : weights.points) {
        REQUIRE(p.point > last);
        last = p.point;
        REQUIRE(p.influences.size() <= 4);
        std::set<int> joints;
        double sum = 0;
        for (const auto& i : p.influences) {
            joints.insert(i.joint);
            REQUIRE(i.weight > 0);
            sum += i.weight;
        }
        REQUIRE(joints.size() == p.influences.size());
        REQUIRE(std::abs(sum - 1) < 1e-12);
    }
}

} // namespace

TEST_CASE("the article's weights are the article's rule, on the tail alone", "[rig][weights]")
{
    const Rig rig = make_rig();
    WeightOptions options;
    options.rule = WeightRule::Article;
    const SkinWeights weights = rig.blend(options);
    check_sound(weights);
    REQUIRE(weights.points.size() == rig.tails[0].points.size());
    const int links = rig.chains[0].links();
    for (const auto& p : weights.points) {
        // method.md 5, written out: the vertex belongs to link k + 1 (joint 4 + k) and shares its ends.
        const double s = links * rig.g(p.point) / rig.chains[0].length;
        const int k = std::min(static_cast<int>(std::floor(s)), links - 1);
        const double f = s - k;
        const double before = std::min(std::max(0.5 - 2 * f, 0.0), 0.5);
        const double after = k == links - 1 ? 0 : std::min(std::max(2 * f - 1.5, 0.0), 0.5);
        REQUIRE(std::abs(weight_of(p.influences, k == 0 ? kPelvis : 3 + k) - before) < 1e-12);
        REQUIRE(std::abs(weight_of(p.influences, 4 + k) - (1 - before - after)) < 1e-12);
        if (k < links - 1) REQUIRE(std::abs(weight_of(p.influences, 5 + k) - after) < 1e-12);
    }
    CHECK(weight_of(weights.points.front().influences, kPelvis) == 0.5); // on the root ring
}

TEST_CASE("smooth weights ramp from the attachment to the links without a step", "[rig][weights]")
{
    const Rig rig = make_rig();
    const SkinWeights weights = rig.blend();
    check_sound(weights);
    std::map<int, const std::vector<Influence>*> of_point;
    for (const auto& p : weights.points) of_point[p.point] = &p.influences;
    for (const int p : rig.tails[0].points) REQUIRE(of_point.count(p) == 1);

    for (const auto& p : weights.points) {
        const double g = rig.g(p.point);
        // The tail's share: smoothstep from 1.25 radii outside the ring to 1.35 inside (WeightOptions).
        const double t = std::clamp((g + 1.25 * kRadius) / (2.6 * kRadius), 0.0, 1.0);
        REQUIRE(links_share(p.influences) == Approx(t * t * (3 - 2 * t)).margin(1e-12));
        // Nothing old stays where the links own all.
        if (g >= 1.35 * kRadius) REQUIRE(links_share(p.influences) == Approx(1));
    }

    // No joint's weight jumps between neighbouring rings, 0.005 apart, anywhere from body to tip: smoothstep's steepest
    // slope is 1.5 over its width, here at least one radius.
    const int sides = 24;
    const auto weight = [&](int point, int joint) {
        const auto& mesh = rig.character.mesh;
        if (of_point.count(point) == 1) return weight_of(*of_point[point], joint);
        return weight_of({mesh.influences.begin() + 4 * point, mesh.influences.begin() + 4 * point + 4}, joint);
    };
    double steepest = 0;
    for (int p = 0; p + sides < static_cast<int>(rig.weld.points.size()); p += sides)
        for (int joint = 0; joint < 4 + rig.chains[0].links(); ++joint)
            steepest = std::max(steepest, std::abs(weight(p, joint) - weight(p + sides, joint)));
    CHECK(steepest < 1.6 * 0.005 / kRadius);
}

TEST_CASE("beside the root, weights only ever move to the attachment, within a band", "[rig][weights]")
{
    const int rings = GENERATE(401, 41);
    const double band = GENERATE(2.0, 20.0);
    Rig rig = make_rig(rings);
    // A short tail: the outermost fifth of the tube is not skin of it.
    if (band > 10) rig.tails[0].points.resize(rig.tails[0].points.size() / 2);
    WeightOptions options;
    options.seam_band = band;
    const SkinWeights weights = rig.blend(options);
    check_sound(weights);
    std::size_t in_band = 0, in_tail = 0;
    double end = 0;
    for (const auto& p : weights.points) {
        if (links_share(p.influences) > 0.5) ++in_tail;
        if (links_share(p.influences) > 0) continue;
        ++in_band;
        end = std::min(end, rig.g(p.point));
        CHECK(weight_of(p.influences, kPelvis) > 0.2);
        CHECK(weight_of(p.influences, kThigh) < 0.4);
        // All that give way do so in the same proportion, where they are the same all around.
        CHECK(weight_of(p.influences, kSpine) == Approx(0.75 * weight_of(p.influences, kThigh)).margin(1e-9));
        CHECK(weight_of(p.influences, kThigh) == Approx(4 * weight_of(p.influences, kOther)).margin(1e-9));
    }
    CHECK(in_band > 0);
    CHECK(in_band <= in_tail / 2);
    CHECK(end >= -(1.25 + band) * kRadius);
}

TEST_CASE("a rigid tail follows the attachment as a whole, from its ring on", "[rig][weights]")
{
    const Rig rig = make_rig();
    WeightOptions options;
    const SkinWeights chain = rig.blend(options);
    options.mode = Mode::Rigid;
    const SkinWeights rigid = blend_weights(rig.character, rig.weld, rig.tails, {}, options);
    check_sound(rigid);
    std::map<int, double> thigh;
    for (const auto& p : chain.points) thigh[p.point] = weight_of(p.influences, kThigh);
    std::size_t of_tail = 0;
    for (const auto& p : rigid.points) {
        REQUIRE(links_share(p.influences) == 0);
        // All of it is gone at the ring, not some way inside.
        REQUIRE(weight_of(p.influences, kThigh) <= thigh.at(p.point) + 1e-12);
        if (rig.g(p.point) < 0) continue;
        ++of_tail;
        REQUIRE(p.influences.size() == 1);
        REQUIRE(p.influences[0].joint == kPelvis);
    }
    CHECK(of_tail == rig.tails[0].points.size());
    CHECK(rigid.points.size() == chain.points.size());
}

TEST_CASE("vertices of one point that differ only lose weight to the attachment", "[rig][weights]")
{
    Rig rig = make_rig();
    // Every vertex once more, on the spine and thigh in other parts.
    Mesh& mesh = rig.character.mesh;
    const std::size_t count = mesh.positions.size();
    for (std::size_t v = 0; v < count; ++v) {
        mesh.positions.push_back(Vector3d(mesh.positions[v]));
        mesh.influences.push_back({kThigh, 0.9});
        mesh.influences.push_back({kSpine, 0.1});
        mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
    }
    rig.weld = weld_vertices(mesh);
    REQUIRE(rig.weld.points.size() == count);
    const SkinWeights weights = rig.blend();
    check_sound(weights);
    for (const auto& p : weights.points) {
        if (links_share(p.influences) > 0) continue;
        CHECK(weight_of(p.influences, kSpine) <= 0.1 + 1e-12);
        CHECK(weight_of(p.influences, kThigh) <= 0.4 + 1e-12);
        CHECK(weight_of(p.influences, kOther) == 0);
    }
}

TEST_CASE("a second tail's links are numbered after the first's end joint", "[rig][weights]")
{
    Rig rig = make_rig();
    Tail second = rig.tails[0]; // the first ring's side of the tube, mirrored
    const auto last = static_cast<int>(rig.weld.points.size()) - 1;
    for (int p = 0; p <= last; ++p) second.along[static_cast<std::size_t>(p)] = -rig.g(p) - 0.6;
    second.points.clear();
    for (int p = 0; p <= last; ++p)
        if (second.along[static_cast<std::size_t>(p)] >= 0) second.points.push_back(p);
    rig.tails.push_back(second);
    rig.chains = fit_chains(rig.weld, rig.tails, 2.5);
    const SkinWeights weights = rig.blend();
    check_sound(weights);
    const int end = 4 + rig.chains[0].links();
    for (const auto& p : weights.points)
        for (const auto& i : p.influences) {
            REQUIRE(i.joint != end);
            if (rig.g(p.point) >= 0) REQUIRE(i.joint < end);
            if (rig.g(p.point) <= -0.6 && i.joint >= 4) REQUIRE(i.joint > end);
        }
}

TEST_CASE("tail skin that the geodesic does not reach follows the chain beside it", "[rig][weights]")
{
    Rig rig = make_rig();
    const SkinWeights reached = rig.blend();
    const int lost = rig.tails[0].points[rig.tails[0].points.size() / 2];
    rig.tails[0].along[static_cast<std::size_t>(lost)] = -std::numeric_limits<double>::infinity();
    const SkinWeights weights = rig.blend();
    check_sound(weights);
    const auto find = [&](const SkinWeights& w) {
        return std::find_if(w.points.begin(), w.points.end(), [&](const PointWeights& p) { return p.point == lost; })
            ->influences;
    };
    // The chain's tip lies half a window short of the skin's, so the place along it is a little farther.
    for (int joint = 4; joint < 4 + rig.chains[0].links(); ++joint)
        CHECK(weight_of(find(weights), joint) == Approx(weight_of(find(reached), joint)).margin(0.2));
}

TEST_CASE("degenerate tails blend", "[rig][weights]")
{
    Rig rig = make_rig(41);
    rig.tails[0].root_radius = 0; // a step at the ring is all that is left
    check_sound(rig.blend());
    rig.character.mesh.influences.clear(); // a skin of zero weights
    std::fill(rig.character.mesh.first_influence.begin(), rig.character.mesh.first_influence.end(), 0);
    rig.tails[0].root_radius = kRadius;
    check_sound(rig.blend());
    CHECK(blend_weights(rig.character, rig.weld, {}, {}).points.empty());
    CHECK(blend_weights(Character{}, Weld{}, {}, {}).points.empty());
}
