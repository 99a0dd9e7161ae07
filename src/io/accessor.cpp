#include "io/accessor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "io/property.h"

namespace tailfix::io {
namespace {

static_assert(std::endian::native == std::endian::little, "accessors are read as they lie in the file");

// An accessor without a buffer view is all zeros and costs the file nothing, however many elements it claims. Real ones
// are of a primitive's size; more than this is taken for an attempt on memory.
constexpr std::size_t kMostZeroBytes = std::size_t{1} << 26;

constexpr std::array kSparseIndices = {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                                       TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT};

template <class Number>
Number load_as(const std::byte* at)
{
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

// The compression extensions that replace a buffer view's content.
const char* compression_of(const tinygltf::BufferView& view)
{
    for (const char* name : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
        if (view.extensions.contains(name)) return name;
    return nullptr;
}

// `count` elements of `size` bytes, from `offset` on in a buffer view, packed.
std::vector<std::byte> gather(const SourceDocument& source, int view_index, std::size_t offset, std::size_t count,
                              std::size_t size, const std::string& what)
{
    const tinygltf::BufferView& view = source.model.bufferViews[static_cast<std::size_t>(view_index)];
    const Buffer& buffer = source.buffers[static_cast<std::size_t>(view.buffer)];
    if (!buffer.bytes) {
        if (const char* name = compression_of(view))
            throw Error(Failure::Unsupported,
                        fmt::format("{}: is compressed with {}, which is not supported", what, name));
        refuse("{}: buffer {} has no data", what, view.buffer);
    }
    if (count == 0) return {};
    const std::size_t stride = view.byteStride != 0 ? view.byteStride : size;
    if (stride < size) refuse("{}: byteStride {} is less than an element's {} bytes", what, stride, size);
    const std::size_t length = view.byteLength;
    if (offset > length || size > length - offset || count - 1 > (length - offset - size) / stride)
        refuse("{}: {} elements of {} bytes from byte {} pass the end of buffer view {} ({} bytes)", what, count, size,
               offset, view_index, length);

    const std::byte* from = buffer.bytes->data() + view.byteOffset + offset;
    std::vector<std::byte> packed(count * size);
    if (stride == size) {
        std::memcpy(packed.data(), from, packed.size());
    } else {
        for (std::size_t i = 0; i < count; ++i) std::memcpy(packed.data() + i * size, from + i * stride, size);
    }
    return packed;
}

void substitute_sparse(const SourceDocument& source, const tinygltf::Accessor& accessor, Elements& elements,
                       std::size_t size, const std::string& what)
{
    const auto& sparse = accessor.sparse;
    Elements where;
    where.component = sparse.indices.componentType;
    where.count = static_cast<std::size_t>(sparse.count);
    if (std::find(kSparseIndices.begin(), kSparseIndices.end(), where.component) == kSparseIndices.end())
        refuse("{}: sparse indices have component type {}, not an unsigned integer", what, where.component);
    where.bytes = gather(source, sparse.indices.bufferView, static_cast<std::size_t>(sparse.indices.byteOffset),
                         where.count, component_size(where.component), what + " sparse indices");
    const std::vector<std::byte> values =
        gather(source, sparse.values.bufferView, static_cast<std::size_t>(sparse.values.byteOffset), where.count, size,
               what + " sparse values");
    for (std::size_t i = 0; i < where.count; ++i) {
        const std::uint32_t at = where.whole(i, 0);
        if (at >= elements.count) refuse("{}: sparse index {} passes the count {}", what, at, elements.count);
        if (i > 0 && at <= where.whole(i - 1, 0)) refuse("{}: sparse indices do not ascend at {}", what, at);
        std::memcpy(elements.bytes.data() + at * size, values.data() + i * size, size);
    }
}

} // namespace

std::size_t component_size(int component)
{
    switch (component) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
        return 1;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
        return 2;
    default:
        return 4;
    }
}

double Elements::number(std::size_t element, int at) const
{
    const std::size_t i = element * static_cast<std::size_t>(width) + static_cast<std::size_t>(at);
    const std::byte* p = bytes.data() + i * component_size(component);
    switch (component) {
    case TINYGLTF_COMPONENT_TYPE_FLOAT:
        return static_cast<double>(load_as<float>(p));
    case TINYGLTF_COMPONENT_TYPE_BYTE:
        return normalized ? std::max(load_as<std::int8_t>(p) / 127.0, -1.0) : load_as<std::int8_t>(p);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
        return normalized ? std::max(load_as<std::int16_t>(p) / 32767.0, -1.0) : load_as<std::int16_t>(p);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
        return normalized ? load_as<std::uint8_t>(p) / 255.0 : load_as<std::uint8_t>(p);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
        return normalized ? load_as<std::uint16_t>(p) / 65535.0 : load_as<std::uint16_t>(p);
    default:
        return load_as<std::uint32_t>(p);
    }
}

std::uint32_t Elements::whole(std::size_t element, int at) const
{
    const std::size_t i = element * static_cast<std::size_t>(width) + static_cast<std::size_t>(at);
    const std::byte* p = bytes.data() + i * component_size(component);
    switch (component_size(component)) {
    case 1:
        return load_as<std::uint8_t>(p);
    case 2:
        return load_as<std::uint16_t>(p);
    default:
        return load_as<std::uint32_t>(p);
    }
}

Elements read_elements(const SourceDocument& source, int accessor_index, const Allowed& allowed,
                       const std::string& what)
{
    const tinygltf::Accessor& accessor = source.model.accessors[static_cast<std::size_t>(accessor_index)];
    const std::string where = fmt::format("{} (accessor {})", what, accessor_index);
    if (accessor.type != allowed.type) refuse("{}: is not of the type that belongs there", where);
    if (std::find(allowed.components.begin(), allowed.components.end(), accessor.componentType) ==
        allowed.components.end())
        refuse("{}: component type {} does not belong there", where, accessor.componentType);

    Elements elements;
    elements.component = accessor.componentType;
    elements.width = tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type));
    elements.count = accessor.count;
    elements.normalized = accessor.normalized;
    const std::size_t size = component_size(accessor.componentType) * static_cast<std::size_t>(elements.width);
    if (accessor.bufferView >= 0) {
        elements.bytes = gather(source, accessor.bufferView, accessor.byteOffset, accessor.count, size, where);
    } else {
        if (accessor.count > kMostZeroBytes / size)
            refuse("{}: {} elements without a buffer view", where, accessor.count);
        elements.bytes.resize(accessor.count * size);
    }
    if (accessor.sparse.isSparse) substitute_sparse(source, accessor, elements, size, where);
    return elements;
}

} // namespace tailfix::io
