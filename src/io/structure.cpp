#include "io/structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/property.h"

namespace tailfix::io {
namespace {

// How far a stored rotation may be from unit length: that of a quaternion of 8 bit components.
constexpr double kUnitTolerance = 0.01;

void check_asset(const Json& document)
{
    const Json* asset = optional_member(document, "asset", "the document");
    if (!asset || !asset->is_object()) refuse("the document has no \"asset\" object");
    const Json* version = optional_member(*asset, "version", "asset");
    if (!version || !version->is_string()) refuse("asset: \"version\" is missing or not a string");
    const std::string& text = version->get_ref<const std::string&>();
    if (!text.starts_with("2."))
        throw Error(Failure::Unsupported, fmt::format("glTF version {}, only 2.0 is read", text));
    if (const Json* least = optional_member(*asset, "minVersion", "asset"); least && *least != "2.0")
        throw Error(Failure::Unsupported, fmt::format("asset: needs glTF version {}, only 2.0 is read", least->dump()));
}

void check_buffer(const Json& buffer, const std::string& what)
{
    required_size(buffer, "byteLength", what, 1);
    if (const Json* uri = optional_member(buffer, "uri", what); uri && !uri->is_string())
        refuse("{}: \"uri\" is not a string", what);
}

void check_view(const Json& document, const Json& view, const std::string& what)
{
    const std::size_t buffer = required_index(document, view, "buffer", "buffers", what);
    const std::uint64_t offset = optional_size(view, "byteOffset", what);
    const std::uint64_t length = required_size(view, "byteLength", what, 1);
    const std::uint64_t whole = document.at("buffers").at(buffer).at("byteLength").get<std::uint64_t>();
    if (length > whole || offset > whole - length)
        refuse("{}: bytes {} to {} pass the end of buffer {} ({} bytes)", what, offset, offset + length, buffer, whole);
    const std::uint64_t stride = optional_size(view, "byteStride", what);
    if (stride > 252 || stride % 4 != 0) refuse("{}: byteStride {} is not a multiple of 4 up to 252", what, stride);
    optional_object(view, "extensions", what);
}

void check_accessor(const Json& document, const Json& accessor, const std::string& what)
{
    optional_index(document, accessor, "bufferView", "bufferViews", what);
    optional_size(accessor, "byteOffset", what);
    required_size(accessor, "componentType", what, 0, 0xFFFF);
    const std::uint64_t count = required_size(accessor, "count", what, 0);
    const Json* type = optional_member(accessor, "type", what);
    if (!type || !type->is_string()) refuse("{}: \"type\" is missing or not a string", what);
    if (const Json* flag = optional_member(accessor, "normalized", what); flag && !flag->is_boolean())
        refuse("{}: \"normalized\" is not a boolean", what);
    const Json* sparse = optional_object(accessor, "sparse", what);
    if (!sparse) return;
    const std::uint64_t changed = required_size(*sparse, "count", what + " sparse", 1);
    if (changed > count) refuse("{}: sparse count {} passes the count {}", what, changed, count);
    for (const char* part : {"indices", "values"}) {
        const Json* place = optional_object(*sparse, part, what + " sparse");
        if (!place) refuse("{}: sparse has no \"{}\"", what, part);
        required_index(document, *place, "bufferView", "bufferViews", what + " sparse");
        optional_size(*place, "byteOffset", what + " sparse");
    }
    required_size(sparse->at("indices"), "componentType", what + " sparse indices", 0, 0xFFFF);
}

void check_attributes(const Json& document, const Json& attributes, const std::string& what)
{
    if (!attributes.is_object()) refuse("{}: \"attributes\" is missing or not an object", what);
    for (const auto& [name, accessor] : attributes.items()) check_index(document, accessor, "accessors", what, name);
}

void check_primitive(const Json& document, const Json& primitive, const std::string& what)
{
    const Json* attributes = optional_object(primitive, "attributes", what);
    if (!attributes) refuse("{}: \"attributes\" is missing", what);
    check_attributes(document, *attributes, what);
    optional_index(document, primitive, "indices", "accessors", what);
    optional_index(document, primitive, "material", "materials", what);
    if (optional_size(primitive, "mode", what) > 6) refuse("{}: mode is not one of 0 to 6", what);
    for (const Json& target : optional_list(primitive, "targets", what)) check_attributes(document, target, what);
    optional_object(primitive, "extensions", what);
}

void check_mesh(const Json& document, const Json& mesh, const std::string& what)
{
    int number = 0;
    for (const Json& primitive : required_list(mesh, "primitives", what)) {
        const std::string where = fmt::format("{} primitive {}", what, number++);
        if (!primitive.is_object()) refuse("{}: is not an object", where);
        check_primitive(document, primitive, where);
    }
}

bool check_numbers(const Json& node, const char* key, std::size_t count, const std::string& what)
{
    const Json* numbers = optional_member(node, key, what);
    if (!numbers) return false;
    const bool fits = numbers->is_array() && numbers->size() == count &&
                      std::all_of(numbers->begin(), numbers->end(), [](const Json& x) { return x.is_number(); });
    if (!fits) refuse("{}: \"{}\" is not {} numbers", what, key, count);
    return true;
}

void check_node(const Json& document, const Json& node, const std::string& what)
{
    optional_index(document, node, "mesh", "meshes", what);
    optional_index(document, node, "skin", "skins", what);
    optional_index(document, node, "camera", "cameras", what);
    for (const Json& child : optional_list(node, "children", what))
        check_index(document, child, "nodes", what, "children");

    const bool matrix = check_numbers(node, "matrix", 16, what);
    const bool moved = check_numbers(node, "translation", 3, what);
    const bool turned = check_numbers(node, "rotation", 4, what);
    const bool scaled = check_numbers(node, "scale", 3, what);
    if (matrix && (moved || turned || scaled)) refuse("{}: has a matrix and a translation, rotation or scale", what);
    if (!turned) return;
    double square = 0;
    for (const Json& x : node.at("rotation")) square += x.get<double>() * x.get<double>();
    if (!(std::abs(std::sqrt(square) - 1) <= kUnitTolerance))
        refuse("{}: rotation has length {:.4g}, not 1", what, std::sqrt(square));
}

// Every node has at most one parent, and none is above itself.
void check_trees(const Json& nodes)
{
    std::vector<int> parent(nodes.size(), -1);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const Json& child : optional_list(nodes[i], "children", "node")) {
            int& above = parent[child.get<std::size_t>()];
            if (above >= 0) refuse("node {}: is a child of node {} and of node {}", child.get<int>(), above, i);
            above = static_cast<int>(i);
        }
    // A walk upwards from each node ends at a root, or at a node that an earlier walk cleared, or it meets itself.
    std::vector<std::size_t> walk_of(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (int at = static_cast<int>(i); at >= 0; at = parent[static_cast<std::size_t>(at)]) {
            std::size_t& walk = walk_of[static_cast<std::size_t>(at)];
            if (walk == i + 1) refuse("node {}: is its own ancestor", at);
            if (walk != 0) break;
            walk = i + 1;
        }
}

void check_skin(const Json& document, const Json& skin, const std::string& what)
{
    const Json& joints = required_list(skin, "joints", what);
    if (joints.empty()) refuse("{}: has no joints", what);
    for (const Json& joint : joints) check_index(document, joint, "nodes", what, "joints");
    optional_index(document, skin, "skeleton", "nodes", what);
    if (!optional_index(document, skin, "inverseBindMatrices", "accessors", what)) return;
    const Json& accessor = document.at("accessors").at(skin.at("inverseBindMatrices").get<std::size_t>());
    if (accessor.at("type") != "MAT4" || accessor.at("componentType") != 5126)
        refuse("{}: inverse bind matrices are {} of component type {}, not MAT4 of floats", what,
               accessor.at("type").dump(), accessor.at("componentType").dump());
    if (accessor.at("count").get<std::uint64_t>() < joints.size())
        refuse("{}: {} inverse bind matrices for {} joints", what, accessor.at("count").dump(), joints.size());
}

void check_animation(const Json& document, const Json& animation, const std::string& what)
{
    const Json& samplers = required_list(animation, "samplers", what);
    for (const Json& sampler : samplers) {
        if (!sampler.is_object()) refuse("{}: a sampler is not an object", what);
        required_index(document, sampler, "input", "accessors", what + " sampler");
        required_index(document, sampler, "output", "accessors", what + " sampler");
        const Json* rule = optional_member(sampler, "interpolation", what);
        if (rule && *rule != "LINEAR" && *rule != "STEP" && *rule != "CUBICSPLINE")
            refuse("{}: interpolation {} is not LINEAR, STEP or CUBICSPLINE", what, rule->dump());
    }
    int number = 0;
    for (const Json& channel : required_list(animation, "channels", what)) {
        const std::string where = fmt::format("{} channel {}", what, number++);
        if (!channel.is_object()) refuse("{}: is not an object", where);
        required_index(animation, channel, "sampler", "samplers", where);
        const Json* target = optional_object(channel, "target", where);
        if (!target) refuse("{}: has no target", where);
        optional_index(document, *target, "node", "nodes", where);
        const Json* path = optional_member(*target, "path", where);
        if (!path || !path->is_string()) refuse("{}: target \"path\" is missing or not a string", where);
    }
}

void check_scene(const Json& document, const Json& scene, const std::string& what)
{
    for (const Json& node : optional_list(scene, "nodes", what)) check_index(document, node, "nodes", what, "nodes");
}

// What a list of the document is called, and what one of its items is called in a message.
struct List {
    const char* key;
    const char* item;
    bool may_be_empty; // exporters do write these empty, and nothing is lost by it
};
constexpr std::array kLists = {List{"buffers", "buffer", false},      List{"bufferViews", "bufferView", false},
                               List{"accessors", "accessor", false},  List{"meshes", "mesh", false},
                               List{"nodes", "node", false},          List{"skins", "skin", true},
                               List{"animations", "animation", true}, List{"scenes", "scene", true},
                               List{"materials", "material", true},   List{"textures", "texture", true},
                               List{"images", "image", true},         List{"samplers", "sampler", true},
                               List{"cameras", "camera", true}};

template <class Check>
void check_each(const Json& document, const char* key, const char* item, Check check)
{
    int number = 0;
    for (const Json& value : optional_list(document, key, "the document"))
        check(value, fmt::format("{} {}", item, number++));
}

} // namespace

void check_structure(const Json& document)
{
    if (!document.is_object()) refuse("the document is not a JSON object");
    check_asset(document);
    for (const char* key : {"extensionsUsed", "extensionsRequired"})
        for (const Json& name : optional_list(document, key, "the document"))
            if (!name.is_string()) refuse("{}: holds something that is not a string", key);
    for (const List& list : kLists) {
        const Json& items = optional_list(document, list.key, "the document");
        if (document.contains(list.key) && items.empty() && !list.may_be_empty)
            refuse("\"{}\" is an empty list", list.key);
        check_each(document, list.key, list.item, [](const Json& item, const std::string& what) {
            if (!item.is_object()) refuse("{}: is not an object", what);
        });
    }

    const auto with = [&document](auto check) {
        return [&document, check](const Json& item, const std::string& what) { check(document, item, what); };
    };
    check_each(document, "buffers", "buffer", check_buffer);
    check_each(document, "bufferViews", "bufferView", with(check_view));
    check_each(document, "accessors", "accessor", with(check_accessor));
    check_each(document, "meshes", "mesh", with(check_mesh));
    check_each(document, "nodes", "node", with(check_node));
    check_trees(optional_list(document, "nodes", "the document"));
    check_each(document, "skins", "skin", with(check_skin));
    check_each(document, "animations", "animation", with(check_animation));
    check_each(document, "scenes", "scene", with(check_scene));
    check_each(document, "images", "image", [&](const Json& image, const std::string& what) {
        optional_index(document, image, "bufferView", "bufferViews", what);
    });
}

} // namespace tailfix::io
