#include <tailfix/io/debug_mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/additions.h"
#include "io/container.h"
#include "io/document.h"
#include "io/staged_files.h"

namespace tailfix {
namespace io {
namespace {

constexpr int kVertices = 34962, kIndices3 = 34963; // bufferView.target: ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER
constexpr int kLines = 1;                           // primitive.mode; triangles are the default
constexpr double kGap = 0.15;                       // between views, of their width

enum class Material { Skin, SeeThroughSkin, Line };

// Vertex colours of glTF are linear (3.9.2): the sRGB transfer function, IEC 61966-2-1.
std::uint8_t linear(std::uint8_t channel)
{
    const double c = channel / 255.0;
    return static_cast<std::uint8_t>(
        std::lround(255 * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4))));
}

std::string hex(Colour colour)
{
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

Json array_of(const Eigen::Vector3d& v)
{
    return Json::array({v.x(), v.y(), v.z()});
}

void put_colour(std::vector<std::byte>& bytes, Colour colour)
{
    for (const std::uint8_t c : {linear(colour.red), linear(colour.green), linear(colour.blue), colour.alpha})
        append(bytes, c);
}

// The document while it grows.
class Sheet {
public:
    Sheet() : added_(Json::object(), Place{}) {}

    int add_vectors(const std::vector<Eigen::Vector3d>& vectors, bool bounds)
    {
        Elements out{TINYGLTF_COMPONENT_TYPE_FLOAT, 3, vectors.size(), false, {}};
        out.bytes.reserve(12 * vectors.size());
        Eigen::Vector3f least = Eigen::Vector3f::Constant(std::numeric_limits<float>::max()), most = -least;
        for (const auto& v : vectors) {
            const Eigen::Vector3f f = v.cast<float>();
            for (int k = 0; k < 3; ++k) append(out.bytes, f[k]);
            least = least.cwiseMin(f);
            most = most.cwiseMax(f);
        }
        const int accessor = added_.add_accessor(out, "VEC3", kVertices);
        if (bounds) added_.set_bounds(least, most);
        return accessor;
    }

    int add_colours(std::vector<std::byte> bytes)
    {
        const std::size_t count = bytes.size() / 4;
        return added_.add_accessor({TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, 4, count, true, std::move(bytes)}, "VEC4",
                                   kVertices);
    }

    int add_triangles(const std::vector<Eigen::Vector3i>& triangles)
    {
        Elements out{TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT, 1, 3 * triangles.size(), false, {}};
        out.bytes.reserve(12 * triangles.size());
        for (const auto& t : triangles)
            for (int k = 0; k < 3; ++k) append(out.bytes, static_cast<std::uint32_t>(t[k]));
        return added_.add_accessor(out, "SCALAR", kIndices3);
    }

    int add_node(Json node)
    {
        nodes_.push_back(std::move(node));
        return static_cast<int>(nodes_.size()) - 1;
    }

    int add_mesh(Json mesh)
    {
        meshes_.push_back(std::move(mesh));
        return static_cast<int>(meshes_.size()) - 1;
    }

    void write(const std::vector<int>& roots, const std::filesystem::path& output) const
    {
        const Json skin = {{"metallicFactor", 0.0}, {"roughnessFactor", 1.0}};
        Json document = {{"asset", {{"version", "2.0"}, {"generator", "tailfix " TAILFIX_VERSION " inspect --mesh"}}},
                         {"extensionsUsed", Json::array({"KHR_materials_unlit"})},
                         {"scene", 0},
                         {"scenes", Json::array({{{"name", "what tailfix saw"}, {"nodes", roots}}})},
                         {"nodes", nodes_},
                         {"meshes", meshes_}};
        document["materials"] = Json::array({{{"name", "skin"}, {"pbrMetallicRoughness", skin}, {"doubleSided", true}},
                                             {{"name", "skin, see-through"},
                                              {"pbrMetallicRoughness", skin},
                                              {"alphaMode", "BLEND"},
                                              {"doubleSided", true}},
                                             {{"name", "lines"},
                                              {"pbrMetallicRoughness", skin},
                                              {"extensions", {{"KHR_materials_unlit", Json::object()}}}}});
        added_.install(document);
        document["buffers"] = Json::array({{{"byteLength", added_.bytes().size()}}});
        const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
        const std::vector<std::byte> head = glb_head(text, added_.bytes().size(), 0);
        const std::vector<Bytes> parts = {head, added_.bytes()};
        StagedFiles staged;
        staged.add(output, parts);
        staged.commit();
    }

private:
    Additions added_;
    Json nodes_ = Json::array(), meshes_ = Json::array();
};

// A rig's accessors that all views share.
struct Shared {
    int positions = 0;
    int normals = 0;
    int triangles = kNone; // of all; kNone until a view without anything see-through asks for them
};

void add_triangles(Sheet& sheet, const DebugRig& rig, const DebugView& view, Shared& shared, Json& primitives)
{
    std::vector<std::byte> colours;
    colours.reserve(4 * view.colours.size());
    for (const Colour c : view.colours) put_colour(colours, c);
    const Json attributes = {
        {"POSITION", shared.positions}, {"NORMAL", shared.normals}, {"COLOR_0", sheet.add_colours(std::move(colours))}};
    const auto add = [&](int indices, Material material) {
        primitives.push_back(
            {{"attributes", attributes}, {"indices", indices}, {"material", static_cast<int>(material)}});
    };
    std::vector<Eigen::Vector3i> solid, see_through;
    for (const auto& t : rig.triangles) {
        const auto opaque = [&](int v) { return view.colours[static_cast<std::size_t>(v)].alpha == 255; };
        (opaque(t[0]) || opaque(t[1]) || opaque(t[2]) ? solid : see_through).push_back(t);
    }
    if (see_through.empty()) {
        if (shared.triangles == kNone && !solid.empty()) shared.triangles = sheet.add_triangles(solid);
        if (shared.triangles != kNone) add(shared.triangles, Material::Skin);
        return;
    }
    if (!solid.empty()) add(sheet.add_triangles(solid), Material::Skin);
    add(sheet.add_triangles(see_through), Material::SeeThroughSkin);
}

void add_lines(Sheet& sheet, const std::vector<DebugLine>& lines, Json& primitives)
{
    if (lines.empty()) return;
    std::vector<Eigen::Vector3d> ends;
    std::vector<std::byte> colours;
    for (const auto& line : lines) {
        ends.insert(ends.end(), {line.from, line.to});
        put_colour(colours, line.colour);
        put_colour(colours, line.colour);
    }
    primitives.push_back(
        {{"attributes", {{"POSITION", sheet.add_vectors(ends, true)}, {"COLOR_0", sheet.add_colours(colours)}}},
         {"mode", kLines},
         {"material", static_cast<int>(Material::Line)}});
}

Json legend_of(const DebugView& view)
{
    Json legend = Json::object();
    for (const auto& line : view.legend) legend[line.means] = hex(line.colour);
    return legend;
}

// The node of one rig in one view.
int add_rig(Sheet& sheet, const DebugRig& rig, const DebugView& view, const std::string& label, Shared& shared)
{
    Json primitives = Json::array();
    add_triangles(sheet, rig, view, shared, primitives);
    add_lines(sheet, view.lines, primitives);
    Json node = {{"name", label}};
    if (!primitives.empty()) node["mesh"] = sheet.add_mesh({{"name", label}, {"primitives", primitives}});
    std::vector<int> children;
    for (const auto& marker : view.markers)
        children.push_back(sheet.add_node(
            {{"name", marker.name}, {"translation", array_of(marker.place)}, {"extras", {{"text", marker.text}}}}));
    if (!children.empty()) node["children"] = children;
    node["extras"] = {{"legend", legend_of(view)}};
    return sheet.add_node(std::move(node));
}

// In the order in which they first appear; rigs without a tail have fewer.
std::vector<std::string> view_names(const std::vector<DebugRig>& rigs)
{
    const DebugRig& longest = *std::max_element(
        rigs.begin(), rigs.end(), [](const DebugRig& a, const DebugRig& b) { return a.views.size() < b.views.size(); });
    std::vector<std::string> names;
    for (const auto& view : longest.views) names.push_back(view.name);
    return names;
}

// From one view to the next: past everything that the scene holds, along the first character's left. A horse is longer
// than wide, and its views would stand one behind the other when seen from aside.
Eigen::Vector3d pitch_of(const std::vector<DebugRig>& rigs)
{
    const Eigen::Vector3d& left = rigs.front().left;
    const Eigen::Vector3d forward = left.cross(Eigen::Vector3d::UnitY());
    Eigen::AlignedBox2d box;
    for (const auto& rig : rigs)
        for (const auto& p : rig.positions) box.extend(Eigen::Vector2d(p.dot(left), p.dot(forward)));
    return box.isEmpty() ? left : Eigen::Vector3d((1 + kGap) * box.sizes().maxCoeff() * left);
}

} // namespace
} // namespace io

void write_debug_mesh(const Loaded& loaded, const std::vector<DebugRig>& rigs, const std::filesystem::path& output)
{
    using namespace io;
    if (rigs.empty()) throw Error(Failure::Invalid, "the file has no skinned mesh that could be shown");
    if (is_gltf_name(output))
        throw Error(Failure::Usage, fmt::format("{}: what is written is a GLB; name it .glb", output.string()));
    refuse_input_as_output(*loaded.source, output);

    Sheet sheet;
    std::vector<Shared> shared;
    for (const auto& rig : rigs)
        shared.push_back({sheet.add_vectors(rig.positions, true), sheet.add_vectors(rig.normals, false), kNone});
    const Eigen::Vector3d pitch = pitch_of(rigs);
    std::vector<int> roots;
    const auto names = view_names(rigs);
    for (std::size_t n = 0; n < names.size(); ++n) {
        std::vector<int> children;
        Json legend = Json::object();
        for (std::size_t r = 0; r < rigs.size(); ++r)
            for (const auto& view : rigs[r].views) {
                if (view.name != names[n]) continue;
                const std::string label =
                    rigs.size() == 1 ? names[n] + ": skin" : fmt::format("{}: rig {}", names[n], r + 1);
                children.push_back(add_rig(sheet, rigs[r], view, label, shared[r]));
                legend.update(legend_of(view));
            }
        roots.push_back(sheet.add_node({{"name", names[n]},
                                        {"translation", array_of(static_cast<double>(n) * pitch)},
                                        {"children", children},
                                        {"extras", {{"legend", legend}}}}));
    }
    sheet.write(roots, output);
}

} // namespace tailfix
