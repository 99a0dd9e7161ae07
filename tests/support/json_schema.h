// Checks a JSON value against a JSON Schema, as far as data/report.schema.json goes.
//
// Source: JSON Schema draft 2020-12, "Core" and "Validation". Known are type, enum, minimum, maximum, properties,
// required, additionalProperties (false), items, minItems, maxItems, anyOf, allOf, if with then, and $ref to
// "#/$defs/NAME"; $schema, $defs, title and description say nothing about a value. Any other keyword throws: a schema
// that asks for what is not checked would pass everything.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tailfix::test {

// One line per violation: where in the value (a JSON pointer), and which rule. `root` is the whole schema.
std::vector<std::string> schema_violations(const nlohmann::ordered_json& root, const nlohmann::ordered_json& value);

} // namespace tailfix::test
