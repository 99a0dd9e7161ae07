// Strict JSON text to a document that keeps key order, and back.
//
// nlohmann's own document builder accepts duplicate keys, any depth of nesting and a byte order mark. A document that
// is written back value for value can live with none of them: of two equal keys one would be lost, and deep nesting
// overflows the stack of whoever walks it next.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tailfix::io {

using Json = nlohmann::ordered_json;

// Throws Error{Unreadable}.
Json parse_json(std::string_view text);

// `like` is the text that the document was parsed from: its indentation is taken over (none: one line).
std::string print_json(const Json& json, std::string_view like);

} // namespace tailfix::io
