#include <tailfix/io/load.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/document.h"
#include "io/property.h"
#include "io/read.h"
#include "io/structure.h"
#include "io/uri.h"

namespace tailfix {
namespace io {
namespace {

namespace fs = std::filesystem;

// `what` begins the messages: nothing for the model itself, which whoever asked for it names.
std::vector<std::byte> read_file(const fs::path& path, const std::string& what = "")
{
    const auto fail = [&](const std::string& why) { throw Error(Failure::Unreadable, what + why); };
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (fs::is_directory(status)) fail("is a folder, not a file");
    // Opening a pipe would wait for whoever writes to it.
    if (fs::exists(status) && !fs::is_regular_file(status)) fail("is not a regular file");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
    const std::uintmax_t size = fs::file_size(path, problem);
    if (problem) fail(fmt::format("cannot be read: {}", problem.message()));
    std::vector<std::byte> bytes(size);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<std::uintmax_t>(in.gcount()) != size) fail("cannot be read to its end");
    return bytes;
}

// The bytes behind one buffer. A buffer without any (glTF leaves it to extensions) is no fault until it is read from.
Buffer open_buffer(const SourceDocument& source, std::size_t index)
{
    const Json& declared = source.json.at("buffers").at(index);
    const std::size_t length = declared.at("byteLength").get<std::size_t>();
    Buffer buffer;
    Bytes bytes;
    if (const auto uri = declared.find("uri"); uri != declared.end()) {
        const std::string& text = uri->get_ref<const std::string&>();
        if (is_data_uri(text)) {
            buffer.owned = decode_data_uri(text);
        } else {
            buffer.file = relative_path(text);
            buffer.owned = read_file(source.path.parent_path() / *buffer.file,
                                     fmt::format("buffer {}: {} ", index, buffer.file->string()));
        }
        bytes = buffer.owned;
    } else if (index == 0 && source.glb && source.glb->bin) {
        bytes = *source.glb->bin;
    } else {
        return buffer;
    }
    if (bytes.size() < length)
        refuse("buffer {}: holds {} bytes, not the {} of its byteLength", index, bytes.size(), length);
    buffer.bytes = bytes.first(length);
    return buffer;
}

std::shared_ptr<SourceDocument> open_document(const fs::path& path)
{
    auto source = std::make_shared<SourceDocument>();
    source->path = path;
    source->file = read_file(path);
    const Bytes file = source->file;
    if (is_glb(file)) {
        source->glb = split_glb(file);
        source->text = source->glb->json;
    } else {
        source->text = {reinterpret_cast<const char*>(file.data()), file.size()};
        const std::size_t first = source->text.find_first_not_of(" \t\r\n");
        if (first == std::string_view::npos || (source->text[first] != '{' && source->text[first] != '\xEF'))
            throw Error(Failure::Unreadable, "is neither a GLB nor the JSON of a glTF file");
    }
    source->json = parse_json(source->text);
    check_structure(source->json);
    source->model = typed_model(source->json);
    if (const auto buffers = source->json.find("buffers"); buffers != source->json.end())
        for (std::size_t i = 0; i < buffers->size(); ++i) source->buffers.push_back(open_buffer(*source, i));
    return source;
}

// Required extensions that leave nodes, skins, meshes and clips as they are, by how their names begin. Those that
// compress are refused where something compressed is read.
constexpr std::array kHarmless = {"KHR_materials_",
                                  "KHR_texture_",
                                  "KHR_lights_",
                                  "EXT_texture_",
                                  "EXT_lights_",
                                  "MSFT_",
                                  "KHR_xmp",
                                  "KHR_mesh_quantization",
                                  "VRM",
                                  "KHR_animation",
                                  "KHR_node_visibility",
                                  "EXT_mesh_gpu_instancing",
                                  "KHR_audio",
                                  "KHR_draco_",
                                  "KHR_meshopt_compression",
                                  "EXT_meshopt_compression"};

void refuse_unknown_extensions(const SourceDocument& source)
{
    for (const std::string& name : source.model.extensionsRequired) {
        bool known = false;
        for (const char* start : kHarmless) known = known || name.starts_with(start);
        if (!known)
            throw Error(Failure::Unsupported,
                        fmt::format("the file requires the extension {}, which is not supported", name));
    }
}

// Every character holds all nodes of the file. Real files have a few rigs; this many nodes in all take about 2 GB.
constexpr std::size_t kMostNodes = 10'000'000;

std::vector<Character> read_characters(const SourceDocument& source)
{
    const std::vector<int> mesh_nodes = skinned_nodes(source);
    if (mesh_nodes.empty()) return {};
    refuse_unknown_extensions(source);
    const std::vector<Node> nodes = read_nodes(source);
    const std::vector<int> order = order_nodes(source, nodes);
    const std::vector<Clip> clips = read_clips(source);
    const std::vector<std::vector<int>> rigs = group_skins(source, order, mesh_nodes);
    if (rigs.size() > kMostNodes / nodes.size())
        throw Error(Failure::Unsupported,
                    fmt::format("the file has {} rigs among {} nodes, which are too many", rigs.size(), nodes.size()));
    std::vector<Character> characters;
    std::size_t numbers = 0; // of keys, over all rigs
    for (const std::vector<int>& skins : rigs) {
        Character character;
        character.nodes = nodes;
        character.node_order = order;
        read_skins(source, skins, character);
        read_mesh(source, mesh_nodes, character);
        if (character.mesh.vertex_count() == 0) continue;
        character.clips = clips_of_rig(clips, character, numbers);
        characters.push_back(std::move(character));
    }
    return characters;
}

} // namespace
} // namespace io

Loaded load(const std::filesystem::path& path)
{
    const auto source = io::open_document(path);
    Loaded loaded;
    loaded.characters = io::read_characters(*source);
    loaded.source = source;
    return loaded;
}

} // namespace tailfix
