// What is found does not depend on how a character happens to be stored: where it stands, how large, which way up and
// which way it faces, in which order its vertices, triangles and joints come, what they are called, in which pose it
// was saved.
#include <tailfix/surface/detect.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <tailfix/io/load.h>

#include "support/catch.h"

using namespace tailfix;

namespace {

using Tail = std::vector<bool>; // per vertex of the file

Tail tail_of(const Character& character)
{
    const Roles roles = find_roles(character);
    const Weld weld = weld_vertices(character.mesh);
    std::vector<bool> inside(weld.points.size(), false);
    for (const auto& tail : detect_tails(character, roles, weld).tails)
        for (const int p : tail.points) inside[static_cast<std::size_t>(p)] = true;
    Tail out;
    for (const int p : weld.point_of_vertex) out.push_back(inside[static_cast<std::size_t>(p)]);
    return out;
}

double iou(const Tail& a, const Tail& b)
{
    int both = 0, either = 0;
    for (std::size_t v = 0; v < a.size(); ++v) {
        both += a[v] && b[v];
        either += a[v] || b[v];
    }
    return either > 0 ? static_cast<double>(both) / either : 1;
}

Character placed(Character character, const Eigen::Affine3d& place)
{
    for (auto& p : character.mesh.positions) p = place * p;
    for (auto& joint : character.joints) {
        joint.bind_from_joint = place.matrix() * joint.bind_from_joint;
        if (joint.helper_end) joint.helper_end = place * *joint.helper_end;
    }
    return character;
}

Eigen::Affine3d turned(double degrees, const Eigen::Vector3d& axis)
{
    return Eigen::Affine3d(Eigen::AngleAxisd(degrees * EIGEN_PI / 180, axis));
}

Character shuffled_triangles(Character character, std::mt19937& random)
{
    auto& triangles = character.mesh.triangles;
    std::shuffle(triangles.begin(), triangles.end(), random);
    for (auto& t : triangles) {
        const auto first = static_cast<int>(random() % 3);
        t = Eigen::Vector3i(t[first], t[(first + 1) % 3], t[(first + 2) % 3]);
    }
    return character;
}

// `old_of_new[v]`: which vertex stands at v now.
Character shuffled_vertices(const Character& character, std::mt19937& random, std::vector<int>& old_of_new)
{
    const int n = character.mesh.vertex_count();
    old_of_new.resize(static_cast<std::size_t>(n));
    std::iota(old_of_new.begin(), old_of_new.end(), 0);
    std::shuffle(old_of_new.begin(), old_of_new.end(), random);
    std::vector<int> new_of_old(old_of_new.size());
    Character out = character;
    out.mesh.influences.clear();
    out.mesh.first_influence = {0};
    for (int v = 0; v < n; ++v) {
        const auto old = static_cast<std::size_t>(old_of_new[static_cast<std::size_t>(v)]);
        new_of_old[old] = v;
        out.mesh.positions[static_cast<std::size_t>(v)] = character.mesh.positions[old];
        for (int i = character.mesh.first_influence[old]; i < character.mesh.first_influence[old + 1]; ++i)
            out.mesh.influences.push_back(character.mesh.influences[static_cast<std::size_t>(i)]);
        out.mesh.first_influence.push_back(static_cast<int>(out.mesh.influences.size()));
    }
    for (auto& t : out.mesh.triangles)
        for (int k = 0; k < 3; ++k) t[k] = new_of_old[static_cast<std::size_t>(t[k])];
    return out;
}

// Any order in which parents come first.
Character shuffled_joints(const Character& character, std::mt19937& random)
{
    const auto n = character.joints.size();
    std::vector<int> order, new_of_old(n, kNone);
    while (order.size() < n) {
        std::vector<int> ready;
        for (std::size_t j = 0; j < n; ++j) {
            const int parent = character.joints[j].parent;
            const bool free = parent == kNone || new_of_old[static_cast<std::size_t>(parent)] != kNone;
            if (new_of_old[j] == kNone && free) ready.push_back(static_cast<int>(j));
        }
        const int next = ready[random() % ready.size()];
        new_of_old[static_cast<std::size_t>(next)] = static_cast<int>(order.size());
        order.push_back(next);
    }
    Character out = character;
    for (std::size_t j = 0; j < n; ++j) {
        out.joints[j] = character.joints[static_cast<std::size_t>(order[j])];
        if (out.joints[j].parent != kNone)
            out.joints[j].parent = new_of_old[static_cast<std::size_t>(out.joints[j].parent)];
    }
    for (auto& influence : out.mesh.influences) influence.joint = new_of_old[static_cast<std::size_t>(influence.joint)];
    for (auto& skin : out.skins)
        for (auto& joint : skin.joints) joint = new_of_old[static_cast<std::size_t>(joint)];
    return out;
}

Character posed(Character character, std::mt19937& random)
{
    std::uniform_real_distribution<double> any(-1, 1);
    for (auto& node : character.nodes) {
        node.matrix.reset();
        const Eigen::Vector3d axis(any(random), any(random), any(random));
        node.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(2 * any(random), axis.normalized())) * node.rotation;
    }
    return character;
}

Character renamed(Character character, const std::function<std::string(std::size_t)>& name)
{
    for (std::size_t j = 0; j < character.joints.size(); ++j) character.joints[j].name = name(j);
    return character;
}

void check_everything(const Character& character)
{
    const Tail tail = tail_of(character);
    REQUIRE(std::count(tail.begin(), tail.end(), true) > 0);
    const Eigen::Vector3d up = find_roles(character).frame.up;
    const auto same = [&](const char* what, const Character& other) {
        INFO(what);
        CHECK(iou(tail, tail_of(other)) >= 0.999);
    };
    same("moved", placed(character, Eigen::Affine3d(Eigen::Translation3d(3.3, -7, 12))));
    same("a hundredth", placed(character, Eigen::Affine3d(Eigen::Scaling(0.01))));
    same("a hundred times", placed(character, Eigen::Affine3d(Eigen::Scaling(100.0))));
    same("Z up", placed(character, turned(90, Eigen::Vector3d::UnitX())));
    same("X up", placed(character, turned(-90, Eigen::Vector3d::UnitZ())));
    same("upside down", placed(character, turned(180, Eigen::Vector3d::UnitX())));
    same("turned round", placed(character, turned(180, up)));
    same("turned by 37 degrees", placed(character, turned(37, up)));
    std::mt19937 random(1);
    same("triangles in another order", shuffled_triangles(character, random));
    same("joints in another order", shuffled_joints(character, random));
    same("saved in another pose", posed(character, random));
    same("no names", renamed(character, [](std::size_t) { return std::string(); }));
    same("numbers for names", renamed(character, [](std::size_t j) { return "joint_" + std::to_string(j); }));
    std::vector<int> old_of_new;
    const Tail other = tail_of(shuffled_vertices(character, random, old_of_new));
    Tail back(other.size());
    for (std::size_t v = 0; v < other.size(); ++v) back[static_cast<std::size_t>(old_of_new[v])] = other[v];
    CHECK(iou(tail, back) >= 0.999);
}

} // namespace

TEST_CASE("a tail is the same skin however its character is stored", "[detect][long]")
{
    const std::string name = GENERATE("fox", "mouse");
    INFO(name);
    check_everything(load(std::filesystem::path(TAILFIX_SOURCE_DIR) / "data" / (name + ".glb")).characters[0]);
}

TEST_CASE("so is that of every real character there is", "[detect][models][long]")
{
    const char* set = std::getenv("TAILFIX_MODELS");
    const std::filesystem::path models =
        set != nullptr ? std::filesystem::path(set) : std::filesystem::path(TAILFIX_SOURCE_DIR) / "../shared/models";
    if (!std::filesystem::is_directory(models)) {
        WARN("skipped: no models in " << models.string());
        return;
    }
    for (const char* folder : {"auto-rigged", "stripped"}) {
        for (const auto& entry : std::filesystem::directory_iterator(models / folder)) {
            const auto& path = entry.path();
            if (path.extension() == ".json" || path.filename().string().find("meshopt") != std::string::npos) continue;
            INFO(path.filename().string());
            check_everything(load(path).characters[0]);
        }
    }
}
