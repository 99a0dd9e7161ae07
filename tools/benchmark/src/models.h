// Which models there are, and what is expected of each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "result.h"

namespace tailfix::benchmark {

// The models of a folder, by name. One with subfolders auto-rigged, stripped, no-tail or own-tail is a collection;
// any other is flat: NAME.glb with NAME.truth.json beside it, or decoys*, where nothing is to be found. A model
// NAME.HOW.glb without a truth of its own takes that of NAME.glb, of which it is a compressed copy. `notes` gets what
// was left out. Throws Error where the folder is none.
std::vector<Model> models_in(const std::filesystem::path& folder, std::vector<std::string>& notes);

// Sets `attach` from a JSON object of model names and lists of joints.
void expect_attachments(std::vector<Model>& models, const std::filesystem::path& file);

// Throws Error where the file is missing or no JSON.
Json read_json(const std::filesystem::path& file);

} // namespace tailfix::benchmark
