// data/decoys.glb: everything that looks like a tail to a careless test, by the names of its meshes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/fixed_samples.h"

using namespace tailfix;

namespace {

// Of the meshes in the file, by number.
std::vector<std::string> mesh_names()
{
    std::ifstream file(std::filesystem::path(TAILFIX_SOURCE_DIR) / "data" / "decoys.glb", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes.at(i))); };
    const std::size_t length = byte(12) | byte(13) << 8 | byte(14) << 16 | byte(15) << 24;
    std::vector<std::string> names;
    const auto document = nlohmann::json::parse(bytes.substr(20, length));
    for (const auto& mesh : document.at("meshes")) names.push_back(mesh.at("name").get<std::string>());
    return names;
}

std::vector<std::string> name_of_vertex(const Character& character)
{
    const auto names = mesh_names();
    std::vector<std::string> out(static_cast<std::size_t>(character.mesh.vertex_count()));
    for (const Primitive& p : character.mesh.primitives)
        std::fill_n(out.begin() + p.first_vertex, p.vertex_count, names.at(static_cast<std::size_t>(p.mesh)));
    return out;
}

// The mesh that most of a piece's points are of.
std::string mesh_of(const Appendage& piece, const std::vector<std::string>& name_of_point)
{
    std::map<std::string, int> count;
    for (const int p : piece.points) ++count[name_of_point[static_cast<std::size_t>(p)]];
    return std::max_element(count.begin(), count.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
}

const std::map<std::string, AppendageClass> kClassOf = {
    {"Cape", AppendageClass::Wide},     {"Skirt", AppendageClass::Wide},    {"Ears", AppendageClass::Head},
    {"Ponytail", AppendageClass::Head}, {"Scabbard", AppendageClass::Worn}, {"Quiver", AppendageClass::Worn},
    {"Sword", AppendageClass::Limb}};

// The file's weights of a vertex and the ones it has now, joint by joint.
bool same_weights(const Mesh& a, const Mesh& b, std::size_t v)
{
    const auto weights = [v](const Mesh& mesh) {
        std::map<int, double> out;
        for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i)
            out[mesh.influences[static_cast<std::size_t>(i)].joint] +=
                mesh.influences[static_cast<std::size_t>(i)].weight;
        return out;
    };
    return weights(a) == weights(b);
}

} // namespace

TEST_CASE("each of the decoys is called what it is, and none a tail", "[decoys]")
{
    const Character character = test::sample("decoys");
    const Fixed fixed = test::fixed(character);
    CHECK_FALSE(fixed.changed);
    CHECK(fixed.found.detection.tails.empty());
    const auto names = name_of_vertex(character);
    std::vector<std::string> name_of_point(fixed.found.weld.points.size());
    for (std::size_t v = 0; v < names.size(); ++v)
        name_of_point[static_cast<std::size_t>(fixed.found.weld.point_of_vertex[v])] = names[v];
    std::set<std::string> named;
    for (const Appendage& piece : fixed.found.detection.appendages) {
        const std::string mesh = mesh_of(piece, name_of_point);
        CAPTURE(mesh, piece.points.size());
        CHECK(piece.kind != AppendageClass::Tail);
        CHECK_FALSE(piece.reasons.empty());
        if (mesh == "Body") continue;
        if (piece.kind == AppendageClass::Body) continue; // where a hand goes round the sword's hilt
        CHECK(piece.kind == kClassOf.at(mesh));
        named.insert(mesh);
    }
    CHECK(named.size() == kClassOf.size());
}

TEST_CASE("worn and wide pieces become rigid when asked, as a whole, and nothing else changes", "[decoys]")
{
    const Character character = test::sample("decoys");
    Options options;
    std::set<std::string> rigid;
    SECTION("--worn rigid")
    {
        options.wear.worn = WearAction::Rigid;
        rigid = {"Scabbard", "Quiver"};
    }
    SECTION("--wide rigid")
    {
        options.wear.wide = WearAction::Rigid;
        rigid = {"Cape", "Skirt"};
    }
    const Fixed fixed = test::fixed(character, options);
    CHECK(fixed.changed);
    CHECK(fixed.rigged.character.joints.size() == character.joints.size());
    const auto names = name_of_vertex(character);
    const Mesh& mesh = fixed.rigged.character.mesh;
    std::map<std::string, std::set<int>> joints;
    std::map<std::string, int> all, bound;
    for (std::size_t v = 0; v < names.size(); ++v) {
        CAPTURE(names[v], v);
        if (rigid.count(names[v]) == 0) {
            REQUIRE(same_weights(character.mesh, mesh, v));
            continue;
        }
        ++all[names[v]];
        if (same_weights(character.mesh, mesh, v)) continue; // a buckle that lies on the body, a shell of its own
        REQUIRE(mesh.first_influence[v + 1] - mesh.first_influence[v] == 1);
        ++bound[names[v]];
        joints[names[v]].insert(mesh.influences[static_cast<std::size_t>(mesh.first_influence[v])].joint);
    }
    CHECK(joints.size() == rigid.size());
    for (const auto& [name, of_mesh] : joints) {
        CHECK(of_mesh.size() == 1);
        CHECK(bound[name] > 0.9 * all[name]);
    }
    for (const auto& t : mesh.triangles) { // no shell is bound in part
        const auto is_bound = [&](int v) { return !same_weights(character.mesh, mesh, static_cast<std::size_t>(v)); };
        REQUIRE((is_bound(t[0]) == is_bound(t[1]) && is_bound(t[1]) == is_bound(t[2])));
    }
}
