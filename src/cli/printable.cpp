#include "cli/printable.h"

namespace tailfix {
namespace {

unsigned char byte(std::string_view text, std::size_t i)
{
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// Bytes of a character at i that may not reach a terminal; 0 where it may.
std::size_t unsafe_length(std::string_view text, std::size_t i, bool keep_lines)
{
    const unsigned char a = byte(text, i), b = byte(text, i + 1), c = byte(text, i + 2);
    if (a == '\n' && keep_lines) return 0;
    if (a < 0x20 || a == 0x7f) return 1;
    if (a == 0xc2 && b >= 0x80 && b <= 0x9f) return 2; // U+0080 to U+009F
    // U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069
    const bool mark =
        (b == 0x80 && (c == 0x8e || c == 0x8f || (c >= 0xaa && c <= 0xae))) || (b == 0x81 && c >= 0xa6 && c <= 0xa9);
    return a == 0xe2 && mark ? 3 : 0;
}

} // namespace

std::string printable(std::string_view text, bool keep_lines)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t skip = unsafe_length(text, i, keep_lines);
        out += skip > 0 ? ' ' : text[i];
        i += skip > 0 ? skip : 1;
    }
    return out;
}

} // namespace tailfix
