#include "surface/own_tail.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "support/catch.h"
#include "support/characters.h"

#include <tailfix/io/load.h>

#include "step.h"

using namespace tailfix;
using namespace tailfix::support;
namespace fs = std::filesystem;

namespace {

Detection detect(const Character& character)
{
    return detect_tails(character, find_roles(character), weld_vertices(character.mesh));
}

// Adds a joint below another, with its node.
int add_joint(Character& character, const std::string& name, int parent, const Eigen::Vector3d& position)
{
    Joint joint;
    joint.name = name;
    joint.node = static_cast<int>(character.nodes.size());
    joint.parent = parent;
    joint.bind_from_joint.topRightCorner<3, 1>() = position;
    Node node;
    node.name = name;
    node.parent = character.joints[static_cast<std::size_t>(parent)].node;
    node.translation = position - character.joints[static_cast<std::size_t>(parent)].position();
    character.node_order.push_back(joint.node);
    character.nodes.push_back(node);
    character.joints.push_back(joint);
    return static_cast<int>(character.joints.size()) - 1;
}

// Gives every chosen vertex to the nearest of some joints, alone.
void follow_nearest(Character& character, const std::vector<bool>& chosen, const std::vector<int>& joints)
{
    Mesh& mesh = character.mesh;
    std::vector<Influence> influences;
    std::vector<int> first{0};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (chosen[v]) {
            const auto away = [&](int j) {
                return (character.joints[static_cast<std::size_t>(j)].position() - mesh.positions[v]).norm();
            };
            influences.push_back(
                {*std::min_element(joints.begin(), joints.end(), [&](int a, int b) { return away(a) < away(b); }), 1});
        } else {
            influences.insert(influences.end(), mesh.influences.begin() + mesh.first_influence[v],
                              mesh.influences.begin() + mesh.first_influence[v + 1]);
        }
        first.push_back(static_cast<int>(influences.size()));
    }
    mesh.influences = influences;
    mesh.first_influence = first;
}

// A chain of joints through the cat's tail, with names that say nothing, that carries the tail's skin.
std::vector<int> give_bones(Cat& cat, const std::vector<Eigen::Vector3d>& places)
{
    std::vector<int> joints;
    int parent = joint_named(cat.character, "Hips");
    for (std::size_t i = 0; i < places.size(); ++i) {
        parent = add_joint(cat.character, "joint_" + std::to_string(i + 12), parent, places[i]);
        joints.push_back(parent);
    }
    follow_nearest(cat.character, cat.tail, joints);
    return joints;
}

void strip_names(Character& character)
{
    for (Joint& joint : character.joints) joint.name.clear();
    for (Node& node : character.nodes) node.name.clear();
}

std::vector<Character> characters_in(const char* part)
{
    const char* named = std::getenv("TAILFIX_MODELS");
    const fs::path folder = named ? fs::path(named) : fs::path(TAILFIX_SOURCE_DIR) / "../shared/models";
    std::vector<Character> out;
    if (!fs::is_directory(folder / part)) {
        WARN("skipped: no models in " << folder.string() << " (set TAILFIX_MODELS)");
        return out;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder / part))
        if (entry.path().extension() == ".glb" || entry.path().extension() == ".vrm") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        if (name.find("draco") != std::string::npos || name.find("meshopt") != std::string::npos) continue;
        for (Character& character : load(file).characters) {
            character.warnings = {name}; // what a failed check prints
            out.push_back(std::move(character));
        }
    }
    return out;
}

// All four legs of these rigs hang from one joint, and from there lines without a branch run to the head and to the
// tail: without names nothing says which is which.
bool has_no_front(const Character& character)
{
    return character.warnings[0] == "rat.glb" || character.warnings[0] == "velociraptor.glb";
}

} // namespace

TEST_CASE("a tail whose skin follows joints that lie in it is left alone, whatever they are called", "[own-tail]")
{
    Cat cat = make_cat();
    std::vector<int> joints;
    SECTION("a chain") // from where the tail leaves the body to its tip
    {
        joints = give_bones(cat, {{0, 0.92, -0.25}, {0, 0.85, -0.35}, {0, 0.78, -0.45}, {0, 0.72, -0.57}});
    }
    SECTION("one joint, which all of the skin follows")
    {
        joints = give_bones(cat, {{0, 0.92, -0.25}});
    }
    SECTION("a chain swept to the left")
    {
        CatOptions options;
        options.tail = {{0, 0.95, -0.05}, {0.15, 0.9, -0.2}, {0.35, 0.8, -0.3}, {0.55, 0.75, -0.35}};
        cat = make_cat(options);
        joints = give_bones(
            cat,
            {{0.03, 0.94, -0.08}, {0.15, 0.9, -0.2}, {0.25, 0.85, -0.25}, {0.35, 0.8, -0.3}, {0.45, 0.775, -0.325}});
    }
    const Detection found = detect(cat.character);
    CHECK(found.tails.empty());
    CHECK((found.own_tail == joints));
    CHECK(found.why_none.find("already has bones: \"joint_12\"") != std::string::npos);
    REQUIRE_FALSE(found.appendages.empty());
    CHECK(found.appendages[0].found_by == "joints");
    CHECK(found.appendages[0].kind == AppendageClass::Tail);
}

TEST_CASE("a tail stays one to be fixed while its skin follows other joints", "[own-tail]")
{
    Cat cat = make_cat();
    SECTION("joints that lie in it, and carry little of it")
    {
        const auto skin = cat.character.mesh;
        give_bones(cat, {{0, 0.92, -0.25}});
        // All but the nearest skin goes back.
        std::vector<bool> few(cat.tail.size(), false);
        for (std::size_t v = 0; v < few.size(); ++v)
            few[v] = cat.tail[v] && (skin.positions[v] - Eigen::Vector3d(0, 0.92, -0.25)).norm() < 0.08;
        cat.character.mesh = skin;
        follow_nearest(cat.character, few, {static_cast<int>(cat.character.joints.size()) - 1});
    }
    SECTION("the nearest joints of the body, as an auto-rigger has it") {}
    SECTION("a thigh")
    {
        follow_nearest(cat.character, cat.tail, {joint_named(cat.character, "LeftUpLeg")});
    }
    SECTION("the spine")
    {
        follow_nearest(cat.character, cat.tail, {joint_named(cat.character, "Spine")});
    }
    const Detection found = detect(cat.character);
    CHECK(found.tails.size() == 1);
    CHECK(found.own_tail.empty());
}

TEST_CASE("clothing on bones of its own is no tail that has bones", "[own-tail]")
{
    CatOptions options;
    options.tail.clear();
    Cat cat = make_cat(options);
    const std::size_t body = cat.character.mesh.positions.size();
    int parent = joint_named(cat.character, "Hips");
    std::vector<int> joints;
    // A cloth hangs behind the legs: wide, thin and two-sided.
    const auto hang = [&](double width) {
        for (const double y : {0.85, 0.65, 0.45})
            joints.push_back(parent = add_joint(cat.character, "x" + std::to_string(joints.size()), parent,
                                                {0, y, -0.3 - 0.2 * (0.85 - y)}));
        Mesh cloth;
        const int rows = 24, columns = 12;
        for (int side = 0; side < 2; ++side)
            for (int r = 0; r <= rows; ++r)
                for (int c = 0; c <= columns; ++c) {
                    const double down = 0.5 * r / rows;
                    cloth.positions.emplace_back(width * (static_cast<double>(c) / columns - 0.5), 0.9 - down,
                                                 -0.29 - 0.2 * down - 0.004 * side);
                }
        const int stride = columns + 1, sheet = (rows + 1) * stride;
        for (int side = 0; side < 2; ++side)
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c) {
                    const int a = side * sheet + r * stride + c;
                    cloth.triangles.emplace_back(a, a + 1, a + stride);
                    cloth.triangles.emplace_back(a + 1, a + stride + 1, a + stride);
                }
        append_shell(cat.character, cloth, joints.front());
    };
    SECTION("a skirt's back")
    {
        hang(0.4);
    }
    SECTION("a coat tail")
    {
        hang(0.12);
    }
    std::vector<bool> worn(cat.character.mesh.positions.size(), false);
    std::fill(worn.begin() + static_cast<std::ptrdiff_t>(body), worn.end(), true);
    follow_nearest(cat.character, worn, joints);
    const Detection found = detect(cat.character);
    CHECK(found.tails.empty());
    CHECK(found.own_tail.empty());
}

TEST_CASE("real tails with bones are left alone without names as with them", "[own-tail][models]")
{
    for (Character character : characters_in("own-tail")) {
        INFO(character.warnings[0]);
        const Detection named = detect(character);
        CHECK(named.tails.empty());
        CHECK_FALSE(named.own_tail.empty());
        strip_names(character);
        const Detection unnamed = detect(character);
        CHECK(unnamed.tails.empty());
        CHECK_FALSE(unnamed.own_tail.empty());
        CHECK(unnamed.why_none.find("already has bones") != std::string::npos);
    }
}

TEST_CASE("a chain that tailfix grew is a tail with bones where its names are lost", "[own-tail][models]")
{
    for (const char* part : {"auto-rigged", "stripped"})
        for (const Character& character : characters_in(part)) {
            INFO(part << " " << character.warnings[0]);
            Options options;
            options.motion.bake.clips = "none";
            Steps steps;
            Character grown = fix(character, options, steps).rigged.character;
            REQUIRE(grown.joints.size() > character.joints.size());
            for (std::size_t j = character.joints.size(); j < grown.joints.size(); ++j)
                grown.joints[j].name = grown.nodes[static_cast<std::size_t>(grown.joints[j].node)].name =
                    "joint_" + std::to_string(j);
            // Joints of a file come in the order of its nodes, parents first.
            const Detection found = detect(grown);
            INFO(found.why_none);
            CHECK(found.tails.empty());
            // The pug's is shorter than it is thick: nothing is found there, bones or not.
            CHECK(found.own_tail.empty() == (character.warnings[0] == "pug.glb"));
            strip_names(grown);
            if (!has_no_front(character)) CHECK(detect(grown).tails.empty());
        }
}

TEST_CASE("real tails without bones are no tails that have bones, without names as with them", "[own-tail][models]")
{
    for (const char* part : {"auto-rigged", "stripped"})
        for (Character character : characters_in(part)) {
            INFO(part << " " << character.warnings[0]);
            CHECK(detect(character).own_tail.empty());
            strip_names(character);
            if (!has_no_front(character)) CHECK(detect(character).own_tail.empty());
        }
}

TEST_CASE("real characters without a tail have none that has bones", "[own-tail][models]")
{
    for (Character character : characters_in("no-tail")) {
        INFO(character.warnings[0]);
        const Detection named = detect(character);
        CHECK(named.tails.empty());
        INFO(named.why_none);
        CHECK(named.own_tail.empty());
        strip_names(character);
        const Detection unnamed = detect(character);
        INFO(unnamed.why_none);
        CHECK(unnamed.tails.empty());
        CHECK(unnamed.own_tail.empty());
    }
}
