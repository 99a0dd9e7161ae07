// The URIs of buffers and images: data URIs, and paths relative to the file. RFC 3986, RFC 2397.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailfix::io {

bool is_data_uri(std::string_view uri);

// The bytes of a buffer's base64 data URI. Throws Error{Invalid}: another media type or encoding, bad base64.
std::vector<std::byte> decode_data_uri(std::string_view uri);

std::string data_uri(std::span<const std::byte> bytes);

// The path that a relative URI names, percent-decoded and normalised. Throws Error{Invalid} for a URI with a scheme, an
// absolute one, and one that leaves the file's folder: a model may not reach for other files of its reader.
std::filesystem::path relative_path(std::string_view uri);

// A file name as a URI.
std::string uri_of(const std::filesystem::path& name);

} // namespace tailfix::io
