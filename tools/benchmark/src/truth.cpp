#include "truth.h"

#include <algorithm>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::benchmark {
namespace {

TruthTail parse_tail(const Json& json)
{
    TruthTail tail;
    if (json.contains("root")) {
        const auto root = json.at("root").get<std::vector<double>>();
        tail.root = Eigen::Vector3d(root.at(0), root.at(1), root.at(2));
    }
    if (json.contains("attach")) tail.attach.push_back(json.at("attach").get<std::string>());
    if (json.contains("attach_also"))
        for (const auto& name : json.at("attach_also")) tail.attach.push_back(name.get<std::string>());
    return tail;
}

} // namespace

bool Truth::any() const
{
    return std::any_of(parts.begin(), parts.end(), [](const Part& part) {
        return std::any_of(part.weight.begin(), part.weight.end(), [](double w) { return w > 0.5; });
    });
}

Truth parse_truth(const Json& json)
{
    try {
        Truth truth;
        for (const auto& part : json.at("primitives"))
            truth.parts.push_back({part.at("mesh").get<int>(), part.at("primitive").get<int>(),
                                   part.at("tail").get<std::vector<double>>()});
        if (json.contains("tails"))
            for (const auto& tail : json.at("tails")) truth.tails.push_back(parse_tail(tail));
        if (json.contains("description")) truth.description = json.at("description");
        return truth;
    } catch (const std::exception& error) { // of the JSON library, or at() of a short root
        throw Error(Failure::Invalid, fmt::format("the truth cannot be used: {}", error.what()));
    }
}

std::vector<double> weights_of_vertices(const Truth& truth, const Mesh& mesh)
{
    std::vector<double> out(mesh.positions.size(), 0);
    for (const Primitive& p : mesh.primitives) {
        const auto part = std::find_if(truth.parts.begin(), truth.parts.end(), [&](const Truth::Part& t) {
            return t.mesh == p.mesh && t.primitive == p.primitive;
        });
        if (part == truth.parts.end()) continue;
        if (part->weight.size() != static_cast<std::size_t>(p.vertex_count))
            throw Error(Failure::Invalid, fmt::format("mesh {} primitive {}: it has {} vertices, the truth {}", p.mesh,
                                                      p.primitive, p.vertex_count, part->weight.size()));
        std::copy(part->weight.begin(), part->weight.end(), out.begin() + p.first_vertex);
    }
    return out;
}

} // namespace tailfix::benchmark
