// One property of a JSON object, checked: the pieces that check_structure() is made of. Each throws Error{Invalid},
// with the thing (`what`), the property and the rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/json_text.h"

namespace tailfix::io {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> rule, Args&&... args)
{
    throw Error(Failure::Invalid, fmt::format(rule, std::forward<Args>(args)...));
}

// Integers up to this survive every reader of JSON that keeps numbers as doubles (RFC 8259, section 6).
inline constexpr std::uint64_t kLargest = std::uint64_t{1} << 53;

inline const Json* optional_member(const Json& object, const char* key, const std::string& what)
{
    if (!object.is_object()) refuse("{}: is not an object", what);
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

inline const Json* optional_object(const Json& object, const char* key, const std::string& what)
{
    const Json* value = optional_member(object, key, what);
    if (value && !value->is_object()) refuse("{}: \"{}\" is not an object", what, key);
    return value;
}

// An absent list is an empty one.
inline const Json& optional_list(const Json& object, const char* key, const std::string& what)
{
    static const Json none = Json::array();
    const Json* value = optional_member(object, key, what);
    if (value && !value->is_array()) refuse("{}: \"{}\" is not a list", what, key);
    return value ? *value : none;
}

inline const Json& required_list(const Json& object, const char* key, const std::string& what)
{
    if (!optional_member(object, key, what)) refuse("{}: \"{}\" is missing", what, key);
    return optional_list(object, key, what);
}

// A whole number from `least` to `most`; 0 where it is absent.
inline std::uint64_t optional_size(const Json& object, const char* key, const std::string& what,
                                   std::uint64_t least = 0, std::uint64_t most = kLargest)
{
    const Json* value = optional_member(object, key, what);
    if (!value) return 0;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() < least || value->get<std::uint64_t>() > most)
        refuse("{}: \"{}\" is not a whole number from {} to {}", what, key, least, most);
    return value->get<std::uint64_t>();
}

inline std::uint64_t required_size(const Json& object, const char* key, const std::string& what, std::uint64_t least,
                                   std::uint64_t most = kLargest)
{
    if (!optional_member(object, key, what)) refuse("{}: \"{}\" is missing", what, key);
    return optional_size(object, key, what, least, most);
}

// Throws unless the value is an index into the list that `owner` has under `list`.
inline void check_index(const Json& owner, const Json& value, const char* list, const std::string& what,
                        const std::string& key)
{
    const auto it = owner.find(list);
    const std::size_t count = it == owner.end() ? 0 : it->size();
    if (!value.is_number_unsigned()) refuse("{}: \"{}\" is not an index", what, key);
    if (value.get<std::uint64_t>() >= count)
        refuse("{}: \"{}\" is {}, but there are {} {}", what, key, value.get<std::uint64_t>(), count, list);
}

inline std::optional<std::size_t> optional_index(const Json& owner, const Json& object, const char* key,
                                                 const char* list, const std::string& what)
{
    const Json* value = optional_member(object, key, what);
    if (!value) return std::nullopt;
    check_index(owner, *value, list, what, key);
    return value->get<std::size_t>();
}

inline std::size_t required_index(const Json& owner, const Json& object, const char* key, const char* list,
                                  const std::string& what)
{
    const auto index = optional_index(owner, object, key, list, what);
    if (!index) refuse("{}: \"{}\" is missing", what, key);
    return *index;
}

} // namespace tailfix::io
