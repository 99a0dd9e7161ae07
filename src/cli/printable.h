// What comes from a file, made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tailfix {

// Control characters (of ASCII and of U+0080 to U+009F) and marks that turn the direction of text become spaces; so do
// line breaks, unless they are kept. The rest of the UTF-8 is passed on.
std::string printable(std::string_view text, bool keep_lines = false);

} // namespace tailfix
