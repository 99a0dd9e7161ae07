#include "support/json_schema.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

namespace tailfix::test {
namespace {

using Json = nlohmann::ordered_json;

bool is_of_type(const Json& value, const std::string& type)
{
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    // 1.0 is an integer too (Validation, 6.1.1).
    if (type == "integer")
        return value.is_number_integer() ||
               (value.is_number() && std::floor(value.get<double>()) == value.get<double>());
    throw std::runtime_error("schema: no type is called " + type);
}

class Check {
public:
    explicit Check(const Json& root) : root_(root) {}

    std::vector<std::string> operator()(const Json& schema, const Json& value, const std::string& where) const
    {
        std::vector<std::string> out;
        for (const auto& [keyword, rule] : schema.items()) {
            const auto known = kRules.find(keyword);
            if (known == kRules.end()) throw std::runtime_error("schema: keyword " + keyword + " is not checked");
            known->second(*this, {schema, rule, value, where}, out);
        }
        return out;
    }

private:
    struct Place {
        const Json &schema, &rule, &value;
        const std::string& where;

        std::string at(const std::string& below) const { return where + "/" + below; }
    };
    using Lines = std::vector<std::string>;
    using Rule = std::function<void(const Check&, const Place&, Lines&)>;
    static const std::map<std::string, Rule> kRules;

    void descend(const Json& schema, const Json& value, const std::string& where, Lines& out) const
    {
        const Lines more = (*this)(schema, value, where);
        out.insert(out.end(), more.begin(), more.end());
    }

    static void nothing(const Check&, const Place&, Lines&) {}

    static void type(const Check&, const Place& p, Lines& out)
    {
        const Json types = p.rule.is_array() ? p.rule : Json::array({p.rule});
        if (std::none_of(types.begin(), types.end(), [&](const Json& t) { return is_of_type(p.value, t); }))
            out.push_back(p.where + ": " + p.value.dump() + " is not of type " + p.rule.dump());
    }

    static void one_of_values(const Check&, const Place& p, Lines& out)
    {
        if (std::find(p.rule.begin(), p.rule.end(), p.value) == p.rule.end())
            out.push_back(p.where + ": " + p.value.dump() + " is none of " + p.rule.dump());
    }

    static void minimum(const Check&, const Place& p, Lines& out)
    {
        if (p.value.is_number() && p.value.get<double>() < p.rule.get<double>())
            out.push_back(p.where + ": " + p.value.dump() + " is under " + p.rule.dump());
    }

    static void maximum(const Check&, const Place& p, Lines& out)
    {
        if (p.value.is_number() && p.value.get<double>() > p.rule.get<double>())
            out.push_back(p.where + ": " + p.value.dump() + " is over " + p.rule.dump());
    }

    static void properties(const Check& check, const Place& p, Lines& out)
    {
        if (!p.value.is_object()) return;
        for (const auto& [name, schema] : p.rule.items())
            if (p.value.contains(name)) check.descend(schema, p.value[name], p.at(name), out);
    }

    static void required(const Check&, const Place& p, Lines& out)
    {
        if (!p.value.is_object()) return;
        for (const std::string name : p.rule)
            if (!p.value.contains(name)) out.push_back(p.at(name) + ": is missing");
    }

    static void additional_properties(const Check&, const Place& p, Lines& out)
    {
        if (p.rule != false) throw std::runtime_error("schema: additionalProperties can only be false");
        if (!p.value.is_object()) return;
        const Json known = p.schema.value("properties", Json::object());
        for (const auto& [name, unused] : p.value.items())
            if (!known.contains(name)) out.push_back(p.at(name) + ": is no name of the schema");
    }

    static void items(const Check& check, const Place& p, Lines& out)
    {
        if (!p.value.is_array()) return;
        for (std::size_t i = 0; i < p.value.size(); ++i)
            check.descend(p.rule, p.value[i], p.at(std::to_string(i)), out);
    }

    static void min_items(const Check&, const Place& p, Lines& out)
    {
        if (p.value.is_array() && p.value.size() < p.rule.get<std::size_t>())
            out.push_back(p.where + ": has fewer than " + p.rule.dump() + " items");
    }

    static void max_items(const Check&, const Place& p, Lines& out)
    {
        if (p.value.is_array() && p.value.size() > p.rule.get<std::size_t>())
            out.push_back(p.where + ": has more than " + p.rule.dump() + " items");
    }

    static void any_of(const Check& check, const Place& p, Lines& out)
    {
        const auto fits = [&](const Json& schema) { return check(schema, p.value, p.where).empty(); };
        if (std::none_of(p.rule.begin(), p.rule.end(), fits))
            out.push_back(p.where + ": " + p.value.dump() + " fits none of " + p.rule.dump());
    }

    static void all_of(const Check& check, const Place& p, Lines& out)
    {
        for (const Json& schema : p.rule) check.descend(schema, p.value, p.where, out);
    }

    static void when(const Check& check, const Place& p, Lines& out)
    {
        if (check(p.rule, p.value, p.where).empty()) check.descend(p.schema.at("then"), p.value, p.where, out);
    }

    static void reference(const Check& check, const Place& p, Lines& out)
    {
        const std::string prefix = "#/$defs/", target = p.rule;
        if (target.rfind(prefix, 0) != 0) throw std::runtime_error("schema: no reference to " + target);
        check.descend(check.root_.at("$defs").at(target.substr(prefix.size())), p.value, p.where, out);
    }

    const Json& root_;
};

const std::map<std::string, Check::Rule> Check::kRules = {{"$schema", nothing},
                                                          {"$defs", nothing},
                                                          {"title", nothing},
                                                          {"description", nothing},
                                                          {"then", nothing}, // belongs to "if"
                                                          {"type", type},
                                                          {"enum", one_of_values},
                                                          {"minimum", minimum},
                                                          {"maximum", maximum},
                                                          {"properties", properties},
                                                          {"required", required},
                                                          {"additionalProperties", additional_properties},
                                                          {"items", items},
                                                          {"minItems", min_items},
                                                          {"maxItems", max_items},
                                                          {"anyOf", any_of},
                                                          {"allOf", all_of},
                                                          {"if", when},
                                                          {"$ref", reference}};

} // namespace

std::vector<std::string> schema_violations(const Json& root, const Json& value)
{
    return Check(root)(root, value, "");
}

} // namespace tailfix::test
