// What is added to a document's buffer: bytes, with the buffer views and accessors that name them.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "io/accessor.h"
#include "io/json_text.h"

namespace tailfix::io {

// Where added bytes go: behind the first `base` bytes of a buffer.
struct Place {
    std::size_t buffer = 0;
    std::size_t base = 0; // a multiple of 4
};

// Kept apart from the document until the end: a list that a document lacks would move all others when it is added,
// under the feet of whoever holds a part of one.
class Additions {
public:
    Additions(const Json& document, Place place);

    // A new buffer view of these bytes; its index. `target` as glTF numbers it, 0 for none.
    int add_view(Bytes bytes, int target = 0);

    // A new accessor of these elements in a view of its own; its index.
    int add_accessor(const Elements& elements, const char* type, int target = 0);

    // A new accessor into a view; its index. Only count, component type and `normalized` of `shape` are used.
    int add_accessor(int view, std::size_t offset, const Elements& shape, const char* type);

    // States the bounds of the accessor that was added last: of one number per element, or of three.
    void set_bounds(double least, double most);
    void set_bounds(const Eigen::Vector3f& least, const Eigen::Vector3f& most);

    // The index that the next view will have.
    int next_view() const { return static_cast<int>(first_view_ + views_.size()); }

    const std::vector<std::byte>& bytes() const { return bytes_; }

    // Appends views and accessors to a document: once, at the end.
    void install(Json& document) const;

private:
    Place place_;
    std::size_t first_view_ = 0, first_accessor_ = 0;
    Json views_ = Json::array(), accessors_ = Json::array();
    std::vector<std::byte> bytes_;
};

template <class Number>
void append(std::vector<std::byte>& bytes, Number value)
{
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof value);
    std::memcpy(bytes.data() + end, &value, sizeof value);
}

} // namespace tailfix::io
