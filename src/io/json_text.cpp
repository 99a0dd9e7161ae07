#include "io/json_text.h"

#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::io {
namespace {

// Deeper than any file in use (VRM reaches about 10); shallow enough for recursive walks on any stack.
constexpr std::size_t kDeepest = 256;

// Up to here a linear search over an object's keys is faster than a hash, and cannot be made slow on purpose.
constexpr std::size_t kFewKeys = 16;

class Builder : public nlohmann::json_sax<Json> {
public:
    Json root;
    std::string problem;

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return fail("binary value"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override
    {
        Level& level = open_.back();
        auto& members = level.value->get_ref<Json::object_t&>();
        if (!level.keys.empty() || members.size() >= kFewKeys) {
            if (level.keys.empty())
                for (const auto& member : members) level.keys.insert(member.first);
            if (!level.keys.insert(name).second)
                return fail(fmt::format("key \"{}\" appears twice in one object", name));
        } else {
            for (const auto& member : members)
                if (member.first == name) return fail(fmt::format("key \"{}\" appears twice in one object", name));
        }
        // The vector's own emplace_back: ordered_map's would search all keys once more.
        static_cast<Json::object_t::Container&>(members).emplace_back(std::move(name), nullptr);
        return true;
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override
    {
        // Without the library's own number for it: "[json.exception.parse_error.101] ".
        const std::string_view text = error.what();
        const std::size_t end = text.find("] ");
        return fail(std::string(end == std::string_view::npos ? text : text.substr(end + 2)));
    }

private:
    struct Level {
        Json* value;
        std::unordered_set<std::string> keys; // only once there are many
    };
    std::vector<Level> open_;

    bool fail(std::string why)
    {
        problem = std::move(why);
        return false;
    }

    // Where the next value goes. It stays there until its container closes, so that pointers to it hold.
    Json* place(Json&& value)
    {
        if (open_.empty()) {
            root = std::move(value);
            return &root;
        }
        Json& parent = *open_.back().value;
        if (parent.is_array()) {
            auto& items = parent.get_ref<Json::array_t&>();
            items.push_back(std::move(value));
            return &items.back();
        }
        Json& member = parent.get_ref<Json::object_t&>().back().second;
        member = std::move(value);
        return &member;
    }

    bool put(Json&& value)
    {
        place(std::move(value));
        return true;
    }

    bool open(Json&& container)
    {
        if (open_.size() >= kDeepest) return fail(fmt::format("nested deeper than {} levels", kDeepest));
        open_.push_back({place(std::move(container)), {}});
        return true;
    }

    bool close()
    {
        open_.pop_back();
        return true;
    }
};

} // namespace

Json parse_json(std::string_view text)
{
    if (text.starts_with("\xEF\xBB\xBF")) throw Error(Failure::Unreadable, "JSON: begins with a byte order mark");
    Builder builder;
    if (!Json::sax_parse(text.begin(), text.end(), &builder))
        throw Error(Failure::Unreadable, fmt::format("JSON: {}", builder.problem));
    return std::move(builder.root);
}

std::string print_json(const Json& json, std::string_view like)
{
    const std::size_t line = like.find('\n');
    if (line == std::string_view::npos || line + 1 >= like.size()) return json.dump();
    const char filler = like[line + 1];
    const std::size_t end = like.find_first_not_of(filler, line + 1);
    const bool indented = (filler == ' ' || filler == '\t') && end != std::string_view::npos;
    constexpr std::size_t widest = 16; // more is alignment, not indentation
    const int indent = indented ? static_cast<int>(std::min(end - line - 1, widest)) : 0;
    return json.dump(indent, indented ? filler : ' ') + '\n';
}

} // namespace tailfix::io
