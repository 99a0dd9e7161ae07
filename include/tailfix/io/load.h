// Reads a GLB, glTF or VRM file into characters, keeping the file's own bytes for writing.
//
// The file is parsed and validated by tinygltf and by the checks of this stage (accessor ranges in overflow-safe
// arithmetic, strides, sparse, joints and indices in range, cycles, NaN and infinity). Nothing of it is used before it
// is checked. NaN or infinite weights are read as 0 with a warning; elsewhere in what is used they are invalid.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tailfix/character.h>

namespace tailfix {

struct SourceDocument; // the file as it was: JSON document, buffers, container; defined in src/io

struct Loaded {
    std::vector<Character> characters; // one per rig; empty where the file has no skinned mesh
    std::vector<std::string> warnings; // about the file as a whole
    std::shared_ptr<const SourceDocument> source;
};

// Throws Error: Unreadable, Invalid, or Unsupported (a required extension this build cannot read, named).
Loaded load(const std::filesystem::path& path);

} // namespace tailfix
