#include "io/uri.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::io {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool same_word(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

[[noreturn]] void refuse(std::string_view uri, const std::string& why)
{
    constexpr std::size_t shown = 60; // a data URI may be megabytes
    throw Error(Failure::Invalid,
                fmt::format("URI \"{}{}\" {}", uri.substr(0, shown), uri.size() > shown ? "..." : "", why));
}

std::array<int, 256> base64_digits()
{
    std::array<int, 256> digits;
    digits.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int>(i);
    return digits;
}

std::vector<std::byte> decode_base64(std::string_view uri, std::string_view text)
{
    static const std::array<int, 256> digits = base64_digits();
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) refuse(uri, "is not whole base64");
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : text) {
        const int digit = digits[static_cast<unsigned char>(c)];
        if (digit < 0) refuse(uri, "has a character that is not base64");
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        have += 6;
        if (have >= 8) {
            have -= 8;
            bytes.push_back(static_cast<std::byte>(bits >> have));
        }
    }
    return bytes;
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string percent_decode(std::string_view uri)
{
    std::string text;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool escape =
            uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 && hex_digit(uri[i + 2]) >= 0;
        // A lone % is kept: exporters that do not escape at all are more common than files named by mistake.
        text += escape ? static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2])) : uri[i];
        if (escape) i += 2;
    }
    return text;
}

} // namespace

bool is_data_uri(std::string_view uri)
{
    return uri.size() >= 5 && same_word(uri.substr(0, 5), "data:");
}

std::vector<std::byte> decode_data_uri(std::string_view uri)
{
    const std::size_t comma = uri.find(',');
    if (!is_data_uri(uri) || comma == std::string_view::npos) refuse(uri, "is not a data URI with data");
    const std::string_view head = uri.substr(5, comma - 5);
    const std::size_t end = head.rfind(';');
    if (end == std::string_view::npos || !same_word(head.substr(end + 1), "base64")) refuse(uri, "is not base64");
    const std::string_view type = head.substr(0, std::min(head.find(';'), end));
    if (!type.empty() && !same_word(type, "application/octet-stream") && !same_word(type, "application/gltf-buffer"))
        refuse(uri, fmt::format("has media type {}, which is not a buffer's", type));
    return decode_base64(uri, uri.substr(comma + 1));
}

std::string data_uri(std::span<const std::byte> bytes)
{
    std::string text = "data:application/octet-stream;base64,";
    text.reserve(text.size() + (bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < n ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kAlphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::filesystem::path relative_path(std::string_view uri)
{
    const std::string text = percent_decode(uri);
    if (text.empty()) refuse(uri, "is empty");
    if (text.find('\0') != std::string::npos) refuse(uri, "has a zero byte");
    const std::size_t colon = text.find(':');
    if (colon != std::string::npos && colon < text.find('/'))
        refuse(uri, "has a scheme; only files beside the model are read");
    const std::u8string name(text.begin(), text.end());
    const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
    if (path.is_absolute() || path.has_root_path() || text.front() == '\\')
        refuse(uri, "is absolute; only files beside the model are read");
    if (path.empty() || *path.begin() == ".." || text.find("..\\") != std::string::npos)
        refuse(uri, "leaves the model's folder");
    return path;
}

std::string uri_of(const std::filesystem::path& name)
{
    std::string uri;
    for (const char8_t c : name.u8string()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                           c == '-' || c == '_' || c == '~' || c == '/';
        uri += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", static_cast<unsigned>(c));
    }
    return uri;
}

} // namespace tailfix::io
