#include "io/container.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/uri.h"

namespace tailfix::io {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::byte, 4> kZeros{};

std::size_t padding(std::size_t size)
{
    return (4 - size % 4) % 4;
}

void append_part(Container& container, Bytes bytes)
{
    container.before.push_back(bytes);
    container.place.base += bytes.size();
    if (const std::size_t gap = padding(bytes.size()); gap > 0) {
        container.before.push_back(Bytes(kZeros).first(gap));
        container.place.base += gap;
    }
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

std::string uri_in(const Json& item)
{
    const auto uri = item.find("uri");
    return uri != item.end() && uri->is_string() ? uri->get<std::string>() : std::string();
}

bool has_external_buffer(const SourceDocument& source)
{
    return std::any_of(source.buffers.begin(), source.buffers.end(),
                       [](const Buffer& b) { return b.file.has_value(); });
}

// OUTPUT.bin, unless the document means another file by that name, or such a file belongs to something else.
std::string side_file_name(const Json& document, const fs::path& output)
{
    std::vector<std::string> taken;
    for (const char* list : {"buffers", "images"})
        if (document.contains(list))
            for (const Json& item : document[list])
                if (const std::string uri = uri_in(item); !uri.empty() && !is_data_uri(uri))
                    taken.push_back(lower(uri));
    std::error_code ignored;
    const bool replacing = fs::exists(output, ignored);
    const std::string stem = output.stem().string();
    for (int n = 1;; ++n) {
        const std::string name = n == 1 ? stem + ".bin" : stem + "-" + std::to_string(n) + ".bin";
        const bool free = std::find(taken.begin(), taken.end(), lower(uri_of(name))) == taken.end();
        if (free && (replacing || !fs::exists(output.parent_path() / name, ignored))) return name;
    }
}

// Every buffer into the BIN chunk, one behind the other, and the buffer views after them.
void pack_all(const SourceDocument& source, Container& container, Json& document)
{
    std::vector<std::size_t> begin; // of those that the document still names
    for (std::size_t i = 0; i < document["buffers"].size(); ++i) {
        begin.push_back(container.place.base);
        append_part(container, *source.buffers[i].bytes);
    }
    document["buffers"][0].erase("uri");
    if (begin.size() == 1) return;
    const auto move = [&](Json& view) {
        const auto buffer = view.find("buffer");
        if (buffer == view.end() || !buffer->is_number_unsigned() || buffer->get<std::size_t>() >= begin.size()) return;
        const std::size_t shift = begin[buffer->get<std::size_t>()];
        *buffer = 0;
        if (shift > 0) view["byteOffset"] = view.value("byteOffset", std::size_t{0}) + shift;
    };
    if (document.contains("bufferViews"))
        for (Json& view : document["bufferViews"]) {
            move(view);
            // Compression extensions name a buffer of their own, the same way.
            if (view.contains("extensions"))
                for (Json& extension : view["extensions"])
                    if (extension.is_object()) move(extension);
        }
    Json first = document["buffers"][0];
    first["byteLength"] = container.place.base;
    document["buffers"] = Json::array({std::move(first)});
}

void add_new_buffer(const SourceDocument& source, const fs::path& output, Container& container, Json& document)
{
    container.home = !container.glb && has_external_buffer(source) ? Home::SideFile : Home::DataUri;
    if (container.home == Home::SideFile) container.side_file = side_file_name(document, output);
    container.place = {document.contains("buffers") ? document["buffers"].size() : 0, 0};
}

} // namespace

bool is_gltf_name(const fs::path& path)
{
    return lower(path.extension().string()) == ".gltf";
}

std::vector<fs::path> side_files_of(const SourceDocument& source, const Json& document)
{
    std::vector<fs::path> files;
    for (const char* list : {"buffers", "images"}) {
        if (!document.contains(list)) continue;
        for (const Json& item : document[list]) {
            const std::string uri = uri_in(item);
            if (uri.empty() || is_data_uri(uri)) continue;
            try {
                const fs::path path = relative_path(uri);
                std::error_code ignored;
                const bool is_new = std::find(files.begin(), files.end(), path) == files.end();
                if (is_new && fs::is_regular_file(source.path.parent_path() / path, ignored)) files.push_back(path);
            } catch (const Error&) {
                // An image elsewhere (buffers were checked on reading): the output names it as the input did.
            }
        }
    }
    return files;
}

Container plan_container(const SourceDocument& source, const fs::path& output, std::optional<std::size_t> kept,
                         Json& document)
{
    Container container;
    container.glb = !is_gltf_name(output);
    const bool has_bin = source.glb && source.glb->bin;
    const bool named = !source.buffers.empty() && document["buffers"][0].contains("uri");
    const bool all_data =
        std::all_of(source.buffers.begin(), source.buffers.end(), [](const Buffer& b) { return b.bytes.has_value(); });

    if (has_bin && !named) {
        // The whole chunk, padding included: what stands behind byteLength is somebody's as well.
        append_part(container, kept ? source.glb->bin->first(*kept) : *source.glb->bin);
        if (!container.glb) {
            container.home = Home::SideFile;
            container.side_file = side_file_name(document, output);
        }
    } else if (!container.glb || has_bin) {
        add_new_buffer(source, output, container, document);
    } else if (source.buffers.empty()) {
        // The chunk begins with what is added.
    } else if (all_data) {
        pack_all(source, container, document);
    } else {
        add_new_buffer(source, output, container, document);
    }
    container.side_files = side_files_of(source, document);
    return container;
}

void finish_container(const Container& container, Bytes added, Json& document)
{
    const std::size_t length = container.place.base + added.size();
    const bool is_listed = document.contains("buffers") && document["buffers"].size() > container.place.buffer;
    if (added.empty() && (is_listed ? container.home != Home::SideFile : true)) return;
    if (!document.contains("buffers")) document["buffers"] = Json::array();
    if (!is_listed) document["buffers"].push_back(Json::object({{"byteLength", length}}));
    Json& buffer = document["buffers"][container.place.buffer];
    if (!added.empty()) buffer["byteLength"] = length;
    if (container.home == Home::SideFile) buffer["uri"] = uri_of(container.side_file);
    if (container.home == Home::DataUri) buffer["uri"] = data_uri(added);
}

bool is_same_file(const fs::path& a, const fs::path& b)
{
    std::error_code ignored;
    return fs::equivalent(a, b, ignored);
}

void refuse_input_as_output(const SourceDocument& source, const fs::path& output)
{
    if (is_same_file(source.path, output))
        throw Error(Failure::Usage, fmt::format("{}: the output would replace the input", output.string()));
    for (const fs::path& file : side_files_of(source, source.json))
        if (is_same_file(source.path.parent_path() / file, output))
            throw Error(Failure::Usage,
                        fmt::format("{}: the output would replace a file of the input", output.string()));
}

} // namespace tailfix::io
