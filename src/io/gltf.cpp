#include <algorithm>
#include <fstream> // tinygltf leaves it out with its file reader, but not its file writer

#define TINYGLTF_IMPLEMENTATION
#include "io/gltf.h"

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::io {
namespace {

void keep(Json& out, const Json& in, std::initializer_list<const char*> keys)
{
    for (const char* key : keys)
        if (const auto it = in.find(key); it != in.end()) out[key] = *it;
}

// That an extension is there matters, not what it says.
void keep_extension_names(Json& out, const Json& in)
{
    const auto it = in.find("extensions");
    if (it == in.end()) return;
    for (const auto& [name, content] : it->items()) out["extensions"][name] = Json::object();
}

Json reduced_accessor(const Json& in)
{
    Json out = Json::object();
    keep(out, in, {"bufferView", "byteOffset", "componentType", "normalized", "count", "type", "sparse"});
    // A type or component type of some extension: nothing that is read may be a MAT2, so that its use is refused.
    static const std::initializer_list<const char*> types = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"};
    const std::string& type = in.at("type").get_ref<const std::string&>();
    const int component = in.at("componentType").get<int>();
    const bool known = std::find(types.begin(), types.end(), type) != types.end() &&
                       component >= TINYGLTF_COMPONENT_TYPE_BYTE && component <= TINYGLTF_COMPONENT_TYPE_DOUBLE;
    if (!known) out = {{"componentType", TINYGLTF_COMPONENT_TYPE_FLOAT}, {"count", 0}, {"type", "MAT2"}};
    return out;
}

Json reduced_primitive(const Json& in)
{
    Json out = {{"attributes", Json::object()}};
    keep(out, in, {"mode"});
    for (const auto& [name, accessor] : in.at("attributes").items())
        if (name == "POSITION" || name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_"))
            out["attributes"][name] = accessor;
    // tinygltf refuses an index accessor without a buffer view, such as one that Draco holds.
    if (const auto it = in.find("indices"); it != in.end()) out["attributes"][kIndices] = *it;
    keep_extension_names(out, in);
    return out;
}

Json reduced_animation(const Json& in)
{
    Json out = Json::object();
    keep(out, in, {"name"});
    for (const Json& sampler : in.at("samplers")) {
        Json& copy = out["samplers"].emplace_back(Json::object());
        keep(copy, sampler, {"input", "output", "interpolation"});
    }
    for (const Json& channel : in.at("channels")) {
        Json& copy = out["channels"].emplace_back(Json::object());
        keep(copy, channel, {"sampler"});
        copy["target"] = Json::object();
        keep(copy["target"], channel.at("target"), {"node", "path"});
    }
    return out;
}

template <class Reduce>
void reduce_each(Json& out, const Json& in, const char* key, Reduce reduce)
{
    const auto it = in.find(key);
    if (it == in.end()) return;
    Json items = Json::array();
    for (const Json& item : *it) items.push_back(reduce(item));
    out[key] = std::move(items);
}

Json reduced(const Json& in)
{
    const auto keeping = [](std::initializer_list<const char*> keys) {
        return [keys = std::vector<const char*>(keys)](const Json& item) {
            Json out = Json::object();
            for (const char* key : keys) keep(out, item, {key});
            return out;
        };
    };
    Json out = {{"asset", {{"version", "2.0"}}}};
    keep(out, in, {"extensionsUsed", "extensionsRequired"});
    reduce_each(out, in, "bufferViews", [&](const Json& item) {
        Json view = keeping({"buffer", "byteOffset", "byteLength", "byteStride"})(item);
        keep_extension_names(view, item);
        return view;
    });
    reduce_each(out, in, "accessors", reduced_accessor);
    reduce_each(out, in, "meshes", [](const Json& mesh) {
        Json copy = {{"primitives", Json::array()}};
        for (const Json& primitive : mesh.at("primitives")) copy["primitives"].push_back(reduced_primitive(primitive));
        return copy;
    });
    reduce_each(out, in, "nodes",
                keeping({"name", "children", "mesh", "skin", "camera", "matrix", "translation", "rotation", "scale"}));
    reduce_each(out, in, "skins", keeping({"joints", "inverseBindMatrices"}));
    reduce_each(out, in, "animations", reduced_animation);
    return out;
}

} // namespace

tinygltf::Model typed_model(const Json& document)
{
    const std::string text = reduced(document).dump();
    tinygltf::Model model;
    tinygltf::TinyGLTF reader;
    std::string problems, warnings;
    if (!reader.LoadASCIIFromString(&model, &problems, &warnings, text.data(), static_cast<unsigned>(text.size()), "",
                                    tinygltf::NO_REQUIRE))
        throw Error(Failure::Invalid, fmt::format("glTF: {}", problems.substr(0, problems.find('\n'))));
    return model;
}

} // namespace tailfix::io
