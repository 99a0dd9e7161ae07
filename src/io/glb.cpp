#include "io/glb.h"

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::io {
namespace {

constexpr std::uint32_t kMagic = 0x46546C67; // "glTF", little endian as every number of the container
constexpr std::uint32_t kJson = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBin = 0x004E4942;   // "BIN\0"
constexpr std::size_t kHeader = 12;
constexpr std::size_t kChunkHeader = 8;

std::uint32_t u32_at(Bytes bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
    return value;
}

void put_u32(std::vector<std::byte>& out, std::uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>(value >> shift));
}

[[noreturn]] void refuse(const std::string& why)
{
    throw Error(Failure::Unreadable, "GLB: " + why);
}

struct Chunk {
    std::uint32_t type = 0;
    Bytes data;
};

Chunk chunk_at(Bytes file, std::size_t at, int number)
{
    if (file.size() - at < kChunkHeader) refuse(fmt::format("chunk {} is cut off in its header", number));
    const std::size_t size = u32_at(file, at);
    if (size % 4 != 0) refuse(fmt::format("chunk {}: its length {} is not a multiple of 4", number, size));
    if (size > file.size() - at - kChunkHeader)
        refuse(fmt::format("chunk {}: its length {} passes the end of the file", number, size));
    return {u32_at(file, at + 4), file.subspan(at + kChunkHeader, size)};
}

} // namespace

bool is_glb(Bytes file)
{
    return file.size() >= 4 && u32_at(file, 0) == kMagic;
}

Glb split_glb(Bytes file)
{
    if (file.size() < kHeader) refuse("cut off in its header");
    if (!is_glb(file)) refuse("wrong magic");
    if (u32_at(file, 4) != 2) refuse(fmt::format("version {}, only 2 can be read", u32_at(file, 4)));
    const std::size_t length = u32_at(file, 8);
    if (length > file.size())
        refuse(fmt::format("cut off: its header says {} bytes, the file has {}", length, file.size()));
    if (length < file.size())
        refuse(fmt::format("its header says {} bytes, the file has {} (bytes after the end)", length, file.size()));

    Glb glb;
    std::size_t at = kHeader;
    for (int number = 0; at < file.size(); ++number) {
        const Chunk chunk = chunk_at(file, at, number);
        const std::size_t next = at + kChunkHeader + chunk.data.size();
        if (number == 0) {
            if (chunk.type != kJson) refuse("the first chunk is not JSON");
            if (chunk.data.empty()) refuse("the JSON chunk is empty");
            glb.json = {reinterpret_cast<const char*>(chunk.data.data()), chunk.data.size()};
        } else if (chunk.type == kJson) {
            refuse("more than one JSON chunk");
        } else if (chunk.type == kBin) {
            if (number != 1) refuse(glb.bin ? "more than one BIN chunk" : "the BIN chunk is not the second");
            glb.bin = chunk.data;
        } else if (glb.others.empty()) {
            glb.others = file.subspan(at);
        }
        at = next;
    }
    if (glb.json.empty()) refuse("has no chunk");
    return glb;
}

std::vector<std::byte> glb_head(std::string_view json, std::size_t bin_size, std::size_t others_size)
{
    const std::size_t json_size = (json.size() + 3) / 4 * 4;
    const std::size_t total =
        kHeader + kChunkHeader + json_size + (bin_size > 0 ? kChunkHeader + bin_size : 0) + others_size;
    if (total > std::numeric_limits<std::uint32_t>::max())
        throw Error(Failure::Unwritable, fmt::format("GLB: {} bytes do not fit the format's 4 GiB", total));

    std::vector<std::byte> head;
    head.reserve(kHeader + 2 * kChunkHeader + json_size);
    put_u32(head, kMagic);
    put_u32(head, 2);
    put_u32(head, static_cast<std::uint32_t>(total));
    put_u32(head, static_cast<std::uint32_t>(json_size));
    put_u32(head, kJson);
    const Bytes text = std::as_bytes(std::span(json.data(), json.size()));
    head.insert(head.end(), text.begin(), text.end());
    head.resize(kHeader + kChunkHeader + json_size, std::byte{' '});
    if (bin_size > 0) {
        put_u32(head, static_cast<std::uint32_t>(bin_size));
        put_u32(head, kBin);
    }
    return head;
}

} // namespace tailfix::io
