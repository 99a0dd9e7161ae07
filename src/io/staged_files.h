// Files that appear together or not at all: each is written to a temporary name in its own folder and synced; only when
// all are there are they renamed.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "io/glb.h"

namespace tailfix::io {

class StagedFiles {
public:
    StagedFiles() = default;
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;
    // Removes what has not been committed, and the folders made for it.
    ~StagedFiles();

    // The parts make up the file, in order. Makes missing folders. Throws Error{Unwritable}.
    void add(const std::filesystem::path& target, std::span<const Bytes> parts);

    // Renames, in the order of add(). Throws Error{Unwritable}; files that were not there before are then taken back.
    void commit();

private:
    struct Staged {
        std::filesystem::path temporary, target;
        bool is_new = false;
        bool renamed = false;
    };
    std::vector<Staged> staged_;
    std::vector<std::filesystem::path> made_folders_; // outermost first
    bool committed_ = false;

    void make_folder(const std::filesystem::path& folder);
};

} // namespace tailfix::io
