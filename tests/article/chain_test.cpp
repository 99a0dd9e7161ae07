// Sections 4 and 5 of the method: the chain along the tail and the article's weights.
#include <filesystem>
#include <map>
#include <string>

#include <Eigen/LU>

#include <tailfix/io/load.h>
#include <tailfix/io/write.h>
#include <tailfix/rig/chain.h>
#include <tailfix/rig/rest_pose.h>
#include <tailfix/rig/weights.h>
#include <tailfix/surface/detect.h>

#include "article/reference.h"
#include "support/catch.h"
#include "support/characters.h"
#include "support/glb.h"

using namespace tailfix;
using namespace tailfix::article;
using Eigen::Matrix4d;

namespace {

// A character up to its chain and weights, as `--detect article --weights article` makes them.
struct Grown {
    Character character;
    Roles roles;
    Weld weld;
    Detection detection;
    std::vector<Chain> chains;
    SkinWeights weights;
    Rigged rigged;
};

Grown grow(const Character& character)
{
    Grown g;
    g.character = character;
    g.roles = find_roles(g.character);
    g.weld = weld_vertices(g.character.mesh);
    DetectOptions detect;
    detect.method = DetectMethod::Article;
    g.detection = detect_tails(g.character, g.roles, g.weld, detect);
    REQUIRE(g.detection.tails.size() == 1);
    g.chains = fit_chains(g.weld, g.detection.tails, g.roles.height);
    WeightOptions weights;
    weights.rule = WeightRule::Article;
    g.weights = blend_weights(g.character, g.weld, g.detection.tails, g.chains, weights);
    g.rigged = add_chains(g.character, g.weld, g.chains, g.weights);
    return g;
}

// The tail hangs on the collar's side of the body; a dense skin, so that no link lacks rings to bend at.
Character cat(double tail_length = 1)
{
    support::CatOptions options;
    options.step = 0.03;
    options.seams = true;
    for (auto& p : options.tail) p = options.tail.front() + tail_length * (p - options.tail.front());
    return support::make_cat(options).character;
}

std::filesystem::path fox_path()
{
    return std::filesystem::path(TAILFIX_SOURCE_DIR) / "data" / "fox.glb";
}

struct ReferenceChain {
    double length = 0;
    std::vector<Vector3d> joints;
};

// "The centroid of the skin" counts skin by its area (a mean of the points would lie where the mesh happens to be fine:
// 7 mm off on the cat, 18 mm on the fox): every triangle gives a third of its area to each of its corners.
std::vector<double> area_of_points(const Weld& weld)
{
    std::vector<double> area(weld.points.size(), 0);
    for (const auto& t : weld.triangles) {
        const Vector3d a = weld.points[at(t[0])], b = weld.points[at(t[1])], c = weld.points[at(t[2])];
        for (int corner = 0; corner < 3; ++corner) area[at(t[corner])] += (b - a).cross(c - a).norm() / 2 / 3;
    }
    return area;
}

// Section 4 by the letter, from g.
ReferenceChain lay_chain(const Weld& weld, const Tail& tail, const std::vector<double>& g, double height)
{
    const std::vector<double> area = area_of_points(weld);
    ReferenceChain out;
    std::vector<double> of_tail;
    for (const int p : tail.points) of_tail.push_back(g[at(p)]);
    out.length = percentile(of_tail, 99);
    const int links = static_cast<int>(clamp(std::floor(out.length / (0.1 * height) + 0.5), 3, 8));
    const double segment = out.length / links;
    out.joints = {tail.root};
    for (int i = 1; i <= links; ++i) {
        Vector3d sum = Vector3d::Zero();
        double skin = 0;
        for (const int p : tail.points) {
            if (std::abs(g[at(p)] - i * segment) > segment / 2) continue;
            sum += area[at(p)] * weld.points[at(p)];
            skin += area[at(p)];
        }
        out.joints.push_back(sum / skin);
    }
    for (int pass = 0; pass < 2; ++pass) {
        const std::vector<Vector3d> before = out.joints;
        for (std::size_t i = 1; i + 1 < before.size(); ++i)
            out.joints[i] = before[i] / 2 + (before[i - 1] + before[i + 1]) / 4;
    }
    return out;
}

void check_chain(const Chain& chain, const ReferenceChain& expected, double height)
{
    CHECK(std::abs(chain.length - expected.length) < kTolerance * height);
    REQUIRE(chain.joints.size() == expected.joints.size());
    double worst = 0;
    for (std::size_t i = 0; i < expected.joints.size(); ++i)
        worst = std::max(worst, (chain.joints[i] - expected.joints[i]).norm());
    CHECK(worst < kTolerance * height);
}

// Section 5: shares of the joints -1 (the one it hangs from), 0 .. K-1 (the links).
std::map<int, double> shares(double g, double length, int links)
{
    const double s = links * g / length;
    const int k = std::min(static_cast<int>(std::floor(s)), links - 1);
    const double f = s - k;
    const double prev = clamp(0.5 - 2 * f, 0, 0.5), next = clamp(2 * f - 1.5, 0, 0.5);
    std::map<int, double> out;
    out[k - 1] += prev;
    out[k] += 1 - prev - next;
    out[k + 1 < links ? k + 1 : k] += next;
    return out;
}

double difference(const std::map<int, double>& expected, const std::map<int, double>& found)
{
    double worst = 0;
    for (const auto& [joint, w] : expected)
        worst = std::max(worst, std::abs(w - (found.count(joint) ? found.at(joint) : 0)));
    for (const auto& [joint, w] : found)
        worst = std::max(worst, std::abs(w - (expected.count(joint) ? expected.at(joint) : 0)));
    return worst;
}

std::map<int, double> influences_of(const Mesh& mesh, int vertex)
{
    std::map<int, double> out;
    for (int i = mesh.first_influence[at(vertex)]; i < mesh.first_influence[at(vertex) + 1]; ++i)
        out[mesh.influences[at(i)].joint] += mesh.influences[at(i)].weight;
    return out;
}

} // namespace

TEST_CASE("article 4: g is the shortest way along edges from the collar", "[article]")
{
    const Grown grown = grow(cat());
    const Tail& tail = grown.detection.tails[0];
    const Appendage& piece = grown.detection.appendages[0];
    CHECK(tail.points == piece.points);
    CHECK((tail.root - centroid(grown.weld.points, piece.collar)).norm() < kTolerance * grown.roles.height);
    std::vector<bool> allowed(grown.weld.points.size(), false);
    for (const int p : piece.points) allowed[at(p)] = true;
    for (const int p : piece.collar) allowed[at(p)] = true;
    const auto g = geodesic(grown.weld.points, edges_of(grown.weld.triangles), piece.collar, allowed);
    double worst = 0;
    for (const int p : piece.points) worst = std::max(worst, std::abs(tail.along[at(p)] - g[at(p)]));
    CHECK(worst < kTolerance * grown.roles.height);
}

TEST_CASE("article 4: length, number and places of the joints", "[article]")
{
    // As long as it is, and short and long enough for the fewest and the most links.
    const double tail_length = GENERATE(1.0, 0.6, 3.0);
    const Grown grown = grow(cat(tail_length));
    const Tail& tail = grown.detection.tails[0];
    const ReferenceChain expected = lay_chain(grown.weld, tail, tail.along, grown.roles.height);
    check_chain(grown.chains[0], expected, grown.roles.height);
    CHECK(grown.chains[0].links() == (tail_length == 1 ? 4 : tail_length < 1 ? 3 : 8));
}

TEST_CASE("article 4: joints of the fox's tail", "[article]")
{
    const Grown grown = grow(load(fox_path()).characters.at(0));
    const Tail& tail = grown.detection.tails[0];
    CHECK((tail.root - centroid(grown.weld.points, grown.detection.appendages[0].collar)).norm() <
          kTolerance * grown.roles.height);
    check_chain(grown.chains[0], lay_chain(grown.weld, tail, tail.along, grown.roles.height), grown.roles.height);
}

TEST_CASE("article 4: links share the pelvis's bind rotation and scale, and are pure translations", "[article]")
{
    Character character = cat();
    const Matrix3d linear = 0.01 * turn(Vector3d(0.4, -0.9, 1.3));
    for (auto& joint : character.joints) joint.bind_from_joint.topLeftCorner<3, 3>() = linear;
    const Grown grown = grow(character);
    const Rigged& rigged = grown.rigged;
    REQUIRE(rigged.chains.size() == 1);
    const JointChain& chain = rigged.chains[0];
    const std::vector<Vector3d>& joints = grown.chains[0].joints;
    CHECK(character.joints[at(chain.attach)].name == "Hips");
    std::vector<int> all = chain.links;
    all.push_back(chain.end);
    REQUIRE(all.size() == joints.size());
    Matrix4d parent_bind = character.joints[at(chain.attach)].bind_from_joint;
    int parent = chain.attach;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Joint& joint = rigged.character.joints[at(all[i])];
        const Node& node = rigged.character.nodes[at(joint.node)];
        CHECK(joint.name == (i + 1 < all.size() ? "Tail_" + std::to_string(i + 1) : "Tail_End"));
        CHECK(node.name == joint.name);
        CHECK(joint.parent == parent);
        CHECK(node.parent == rigged.character.joints[at(parent)].node);
        Matrix4d bind = Matrix4d::Identity();
        bind.topLeftCorner<3, 3>() = linear;
        bind.topRightCorner<3, 1>() = joints[i];
        CHECK((joint.bind_from_joint - bind).cwiseAbs().maxCoeff() < kTolerance * 0.01);
        const Matrix4d local = parent_bind.inverse() * bind;
        CHECK((local.topLeftCorner<3, 3>() - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kTolerance);
        CHECK(!node.matrix);
        CHECK((node.translation - local.topRightCorner<3, 1>()).norm() < kTolerance * grown.roles.height / 0.01);
        CHECK(node.rotation.vec().norm() < kTolerance);
        CHECK((node.scale - Vector3d::Ones()).norm() < kTolerance);
        CHECK(std::count(rigged.character.skins[0].joints.begin(), rigged.character.skins[0].joints.end(), all[i]) ==
              1);
        parent_bind = bind;
        parent = all[i];
    }
}

TEST_CASE("article 4: the fox's file has the inverse bind matrices of its chain", "[article]")
{
    const Loaded loaded = load(fox_path());
    const Grown grown = grow(loaded.characters.at(0));
    const test::TemporaryFolder folder;
    write_fixed(loaded, {{&grown.rigged, nullptr}}, folder / "fox.glb");
    const Character fixed = load(folder / "fox.glb").characters.at(0);
    const auto hips = static_cast<std::size_t>(support::joint_named(fixed, "mixamorig:Hips"));
    for (std::size_t i = 0; i < grown.chains[0].joints.size(); ++i) {
        const bool last = i + 1 == grown.chains[0].joints.size();
        const int joint = support::joint_named(fixed, last ? "Tail_End" : "Tail_" + std::to_string(i + 1));
        REQUIRE(joint != kNone);
        Matrix4d bind = fixed.joints[hips].bind_from_joint;
        bind.topRightCorner<3, 1>() = grown.chains[0].joints[i];
        CHECK((fixed.joints[at(joint)].bind_from_joint - bind).cwiseAbs().maxCoeff() < kTolerance * grown.roles.height);
    }
}

TEST_CASE("article 5: shares of a dense tail, from the first segment to the last", "[article]")
{
    const int links = GENERATE(1, 2, 3, 8);
    const double length = 0.8;
    support::Tube tube;
    tube.length = length;
    tube.rings = 2001;
    tube.sides = 3;
    Character character = support::make_cat([] {
                              support::CatOptions options;
                              options.step = 0.08;
                              options.tail.clear();
                              return options;
                          }())
                              .character;
    const int body = character.mesh.vertex_count();
    support::append_shell(character, support::make_tube(tube), 0);
    Roles roles = find_roles(character);
    const Weld weld = weld_vertices(character.mesh);
    REQUIRE(weld.points.size() == character.mesh.positions.size());
    Tail tail;
    tail.attach = roles.pelvis;
    tail.root_radius = 0.1;
    tail.along.assign(weld.points.size(), -std::numeric_limits<double>::infinity());
    Chain chain;
    chain.name = "Tail";
    chain.attach = roles.pelvis;
    chain.length = length;
    chain.root_radius = 0.1;
    for (int i = 0; i <= links; ++i) {
        chain.joints.emplace_back(0, 0, -length * i / links);
        chain.marks.push_back(length * i / links);
    }
    // From g = 0 to beyond L: one percent of the skin is.
    for (int v = body; v < character.mesh.vertex_count(); ++v) {
        tail.points.push_back(v);
        tail.along[at(v)] = 1.02 * length * (v - body) / (character.mesh.vertex_count() - 1 - body);
    }
    WeightOptions options;
    options.rule = WeightRule::Article;
    const SkinWeights found = blend_weights(character, weld, {tail}, {chain}, options);
    REQUIRE(found.points.size() == tail.points.size());
    double worst = 0;
    for (const auto& point : found.points) {
        std::map<int, double> of_point;
        for (const auto& i : point.influences)
            of_point[i.joint == roles.pelvis ? -1 : i.joint - static_cast<int>(character.joints.size())] += i.weight;
        worst = std::max(worst, difference(shares(tail.along[at(point.point)], length, links), of_point));
    }
    CHECK(worst < kTolerance);
}

TEST_CASE("article 5: every vertex of the tail has the article's shares, and no other vertex changes", "[article]")
{
    const bool use_fox = GENERATE(false, true);
    const Grown grown = grow(use_fox ? load(fox_path()).characters.at(0) : cat());
    const Tail& tail = grown.detection.tails[0];
    const JointChain& chain = grown.rigged.chains[0];
    double worst = 0, elsewhere = 0;
    for (int v = 0; v < grown.character.mesh.vertex_count(); ++v) {
        const int point = grown.weld.point_of_vertex[at(v)];
        const auto found = influences_of(grown.rigged.character.mesh, v);
        if (!std::binary_search(tail.points.begin(), tail.points.end(), point)) {
            elsewhere = std::max(elsewhere, difference(influences_of(grown.character.mesh, v), found));
            continue;
        }
        std::map<int, double> expected;
        for (const auto& [link, w] : shares(tail.along[at(point)], grown.chains[0].length, grown.chains[0].links()))
            expected[link < 0 ? chain.attach : chain.links[at(link)]] += w;
        worst = std::max(worst, difference(expected, found));
    }
    CHECK(worst < kTolerance);
    CHECK(elsewhere == 0);
}
