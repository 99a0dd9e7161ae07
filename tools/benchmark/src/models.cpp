#include "models.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::benchmark {
namespace {

namespace fs = std::filesystem;

bool is_model(const fs::path& file)
{
    const auto extension = file.extension();
    return extension == ".glb" || extension == ".vrm" || extension == ".gltf";
}

std::vector<fs::path> files_in(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (is_model(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

fs::path truth_beside(const fs::path& file)
{
    return fs::path(file).replace_extension(".truth.json");
}

// mouse.meshopt.glb -> mouse.glb
fs::path original_of(const fs::path& file)
{
    const fs::path stem = file.stem();
    return stem.has_extension() ? file.parent_path() / stem.stem().concat(file.extension().string()) : fs::path();
}

Model model_of(const fs::path& file, const std::string& group, Expect expect)
{
    Model model;
    model.group = group;
    model.name = group + "/" + file.stem().string();
    model.expect = expect;
    model.file = file;
    if (expect != Expect::Tail) return model;
    if (fs::exists(truth_beside(file))) {
        model.truth = truth_beside(file);
    } else if (const auto original = original_of(file); !original.empty() && fs::exists(truth_beside(original))) {
        model.truth = truth_beside(original);
        model.truth_of = original;
    }
    return model;
}

} // namespace

Json read_json(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(Failure::Unreadable, fmt::format("{}: cannot be read", file.string()));
    try {
        return Json::parse(stream);
    } catch (const Json::exception& error) {
        throw Error(Failure::Unreadable, fmt::format("{}: {}", file.string(), error.what()));
    }
}

std::vector<Model> models_in(const fs::path& folder, std::vector<std::string>& notes)
{
    if (!fs::is_directory(folder)) throw Error(Failure::Usage, fmt::format("{}: no such folder", folder.string()));
    std::vector<Model> models;
    bool collection = false;
    for (const auto& [name, expect] : {std::pair{"auto-rigged", Expect::Tail},
                                       {"stripped", Expect::Tail},
                                       {"no-tail", Expect::None},
                                       {"own-tail", Expect::OwnTail}}) {
        if (!fs::is_directory(folder / name)) continue;
        collection = true;
        for (const auto& file : files_in(folder / name)) models.push_back(model_of(file, name, expect));
    }
    if (!collection) {
        const std::string group = fs::absolute(folder / "").lexically_normal().parent_path().filename().string();
        for (const auto& file : files_in(folder)) {
            const bool decoys = file.stem().string().rfind("decoys", 0) == 0;
            const bool none = decoys && !fs::exists(truth_beside(file));
            models.push_back(model_of(file, group, none ? Expect::None : Expect::Tail));
        }
    }
    const auto known = [&](const Model& m) {
        if (m.expect != Expect::Tail || !m.truth.empty()) return true;
        notes.push_back(fmt::format("{}: skipped, it has no truth", m.name));
        return false;
    };
    models.erase(std::stable_partition(models.begin(), models.end(), known), models.end());
    return models;
}

void expect_attachments(std::vector<Model>& models, const fs::path& file)
{
    const Json expected = read_json(file);
    for (Model& model : models)
        if (const auto it = expected.find(model.name); it != expected.end())
            model.attach = it->at("attach").get<std::vector<std::string>>();
}

} // namespace tailfix::benchmark
