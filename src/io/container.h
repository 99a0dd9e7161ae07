// Which buffer takes the added bytes, and how the file's buffers end up in the output's container.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/additions.h"
#include "io/document.h"

namespace tailfix::io {

enum class Home { BinChunk, SideFile, DataUri };

struct Container {
    bool glb = true;
    Home home = Home::BinChunk;
    Place place;
    std::vector<Bytes> before; // what stands in the home in front of the added bytes, `place.base` long
    std::string side_file;     // name, for Home::SideFile
    std::vector<std::filesystem::path> side_files; // of the input that the output needs beside it, relative
};

// Decides, and makes the changes to `document` (a copy of the source's) that packing into a GLB or unpacking needs.
// `kept`: how many bytes of the BIN chunk stay; none: all.
Container plan_container(const SourceDocument& source, const std::filesystem::path& output,
                         std::optional<std::size_t> kept, Json& document);

// Notes the added bytes in the document's buffers.
void finish_container(const Container& container, Bytes added, Json& document);

// Links included: what is compared is the file behind the name.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// Throws Error{Usage} where the output is the input or one of the files beside it.
void refuse_input_as_output(const SourceDocument& source, const std::filesystem::path& output);

bool is_gltf_name(const std::filesystem::path& path);

// External buffers and images by relative path, as the document names them; those that are not there are left out.
std::vector<std::filesystem::path> side_files_of(const SourceDocument& source, const Json& document);

} // namespace tailfix::io
