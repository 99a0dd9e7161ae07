// The file as it was, which writing splices into.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include <tailfix/io/load.h>

#include "io/glb.h"
#include "io/gltf.h"
#include "io/json_text.h"

namespace tailfix {

namespace io {

struct Buffer {
    std::vector<std::byte> owned;              // from a file or a data URI; empty for the BIN chunk
    std::optional<Bytes> bytes;                // exactly byteLength of them; none where the file has no data for it
    std::optional<std::filesystem::path> file; // relative to the model, for an external buffer
};

} // namespace io

// Not copied once made: `glb`, `text` and the buffers view into `file`.
struct SourceDocument {
    std::filesystem::path path;
    std::vector<std::byte> file;
    std::optional<io::Glb> glb; // none: a .gltf
    std::string_view text;      // the JSON as it stands in the file
    io::Json json;
    std::vector<io::Buffer> buffers;
    tinygltf::Model model;
};

} // namespace tailfix
