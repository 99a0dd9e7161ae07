// The GLB container: header, a JSON chunk, perhaps a BIN chunk, perhaps others. glTF 2.0, section 4.4.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tailfix::io {

using Bytes = std::span<const std::byte>;

// Views into the file's bytes.
struct Glb {
    std::string_view json;
    std::optional<Bytes> bin;
    Bytes others; // chunks after these, with their headers
};

bool is_glb(Bytes file);

// Throws Error{Unreadable}: magic, version, lengths, alignment, order and number of chunks, bytes after the end.
Glb split_glb(Bytes file);

// What stands before the bin data of a GLB: header, JSON chunk (padded with spaces) and the header of the BIN chunk
// (none where bin_size is 0). Throws Error{Unwritable} when the whole would not fit the format's 4 GiB.
std::vector<std::byte> glb_head(std::string_view json, std::size_t bin_size, std::size_t others_size);

} // namespace tailfix::io
