// The elements of an accessor, checked and packed: strides and sparse substitution are behind us here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/document.h"

namespace tailfix::io {

// What an accessor may be in the place it is used, in glTF's own numbers.
struct Allowed {
    int type = TINYGLTF_TYPE_SCALAR;
    std::span<const int> components;
};

struct Elements {
    int component = TINYGLTF_COMPONENT_TYPE_FLOAT; // component type, glTF's number
    int width = 1;                                 // components per element
    std::size_t count = 0;
    bool normalized = false;
    std::vector<std::byte> bytes; // count * width components, little endian

    // As a number; normalized integers as the fraction they stand for (glTF 2.0, 3.6.2.2).
    double number(std::size_t element, int at) const;
    // As stored; integer component types only.
    std::uint32_t whole(std::size_t element, int at) const;
};

std::size_t component_size(int component);

// Throws Error, naming `what` (the place of use): Invalid when the type is not allowed there or a range passes the end
// of its buffer view; Unsupported when the data is compressed.
Elements read_elements(const SourceDocument& source, int accessor, const Allowed& allowed, const std::string& what);

} // namespace tailfix::io
