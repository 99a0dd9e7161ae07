#include "io/additions.h"

namespace tailfix::io {
namespace {

std::size_t size_of(const Json& document, const char* list)
{
    const auto it = document.find(list);
    return it == document.end() ? 0 : it->size();
}

void append_list(Json& document, const char* key, const Json& items)
{
    if (items.empty()) return;
    if (!document.contains(key)) document[key] = Json::array();
    Json& list = document[key];
    for (const Json& item : items) list.push_back(item);
}

} // namespace

Additions::Additions(const Json& document, Place place)
    : place_(place), first_view_(size_of(document, "bufferViews")), first_accessor_(size_of(document, "accessors"))
{
}

int Additions::add_view(Bytes bytes, int target)
{
    const int index = next_view();
    Json view = {{"buffer", place_.buffer}, {"byteOffset", place_.base + bytes_.size()}, {"byteLength", bytes.size()}};
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    bytes_.resize((bytes_.size() + 3) / 4 * 4); // every view begins at a multiple of the largest component
    return index;
}

int Additions::add_accessor(int view, std::size_t offset, const Elements& shape, const char* type)
{
    Json accessor = Json::object();
    accessor["bufferView"] = view;
    if (offset > 0) accessor["byteOffset"] = offset;
    accessor["componentType"] = shape.component;
    if (shape.normalized && shape.component != TINYGLTF_COMPONENT_TYPE_FLOAT) accessor["normalized"] = true;
    accessor["count"] = shape.count;
    accessor["type"] = type;
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(first_accessor_ + accessors_.size()) - 1;
}

int Additions::add_accessor(const Elements& elements, const char* type, int target)
{
    return add_accessor(add_view(elements.bytes, target), 0, elements, type);
}

void Additions::set_bounds(double least, double most)
{
    accessors_.back()["min"] = Json::array({least});
    accessors_.back()["max"] = Json::array({most});
}

void Additions::set_bounds(const Eigen::Vector3f& least, const Eigen::Vector3f& most)
{
    accessors_.back()["min"] = Json::array({least.x(), least.y(), least.z()});
    accessors_.back()["max"] = Json::array({most.x(), most.y(), most.z()});
}

void Additions::install(Json& document) const
{
    append_list(document, "bufferViews", views_);
    append_list(document, "accessors", accessors_);
}

} // namespace tailfix::io
