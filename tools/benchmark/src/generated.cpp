#include "generated.h"

#include <fstream>

#include <fmt/format.h>

#include <tailfix/error.h>

#ifdef TAILFIX_HAS_GENERATOR
#include "generate/generate.h"
#endif

namespace tailfix::benchmark {

bool has_generator()
{
#ifdef TAILFIX_HAS_GENERATOR
    return true;
#else
    return false;
#endif
}

std::vector<Model> generated_models(int first, int last)
{
    std::vector<Model> models;
    for (const bool tail : {true, false}) {
        for (int seed = first; seed <= last; ++seed) {
            Model model;
            model.group = tail ? "generated" : "generated without";
            model.name = fmt::format("{}/{:05}", model.group, seed);
            model.expect = tail ? Expect::Tail : Expect::None;
            model.seed = seed;
            models.push_back(model);
        }
    }
    return models;
}

Generated generate_character(const Model& model, const std::filesystem::path& folder)
{
#ifdef TAILFIX_HAS_GENERATOR
    const auto made = generate::generate(*model.seed, model.expect == Expect::Tail);
    const auto path = folder / fmt::format("{}-{}.glb", *model.seed, model.expect == Expect::Tail ? "tail" : "none");
    {
        std::ofstream file(path, std::ios::binary);
        std::copy(made.glb.begin(), made.glb.end(), std::ostreambuf_iterator<char>(file));
        if (!file.flush()) throw Error(Failure::Unwritable, fmt::format("{}: cannot be written", path.string()));
    }
    Generated out{load(path), parse_truth(made.truth)};
    std::filesystem::remove(path);
    return out;
#else
    throw Error(Failure::Usage, fmt::format("{} in {}: this build has no generator", model.name, folder.string()));
#endif
}

} // namespace tailfix::benchmark
