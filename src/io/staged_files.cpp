#include "io/staged_files.h"

#include <atomic>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why)
{
    throw Error(Failure::Unwritable, fmt::format("{}: {}", path.string(), why));
}

// A file descriptor that is closed at the end.
class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    int get() const { return descriptor_; }
    bool close()
    {
        const int result = ::close(descriptor_);
        descriptor_ = -1;
        return result == 0;
    }

private:
    int descriptor_;
};

void write_all(const File& file, Bytes bytes, const fs::path& target)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(target, std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

// Unique among the threads of this process and among processes; short, since the target's own name may be as long as
// the file system allows.
fs::path temporary_name(const fs::path& folder)
{
    static std::atomic<unsigned> counter{0};
    return folder / fmt::format(".tailfix-{}-{}.tmp", ::getpid(), counter++);
}

// So that the new name outlives a power cut. Some file systems cannot sync a folder; nothing is lost by that now.
void sync_folder(const fs::path& folder)
{
    const File file(::open(folder.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() >= 0) ::fsync(file.get());
}

fs::path folder_of(const fs::path& target)
{
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

} // namespace

StagedFiles::~StagedFiles()
{
    std::error_code ignored;
    for (const Staged& file : staged_) {
        if (!file.renamed) fs::remove(file.temporary, ignored);
        if (!committed_ && file.renamed && file.is_new) fs::remove(file.target, ignored);
    }
    if (committed_) return;
    for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder) fs::remove(*folder, ignored);
}

void StagedFiles::make_folder(const fs::path& folder)
{
    std::vector<fs::path> missing; // innermost first
    std::error_code problem;
    for (fs::path at = folder; !at.empty() && !fs::exists(at, problem); at = at.parent_path()) missing.push_back(at);
    for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
        if (fs::create_directory(*at, problem)) made_folders_.push_back(*at);
        if (problem) fail(*at, problem.message());
    }
    if (!fs::is_directory(folder, problem)) fail(folder, "is not a folder");
}

void StagedFiles::add(const fs::path& target, std::span<const Bytes> parts)
{
    const fs::path folder = folder_of(target);
    make_folder(folder);
    std::error_code ignored;
    if (fs::is_directory(target, ignored)) fail(target, "is a folder");
    // Renaming over a device or a pipe would put a file in its place.
    if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored)) fail(target, "is no regular file");
    const fs::path temporary = temporary_name(folder);
    // Exclusive: never through a link that someone else put there.
    File file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.get() < 0) fail(target, std::strerror(errno));
    staged_.push_back({temporary, target, !fs::exists(fs::symlink_status(target, ignored)), false});
    for (const Bytes part : parts) write_all(file, part, target);
    if (::fsync(file.get()) != 0) fail(target, std::strerror(errno));
    if (!file.close()) fail(target, std::strerror(errno));
}

void StagedFiles::commit()
{
    for (Staged& file : staged_) {
        std::error_code problem;
        fs::rename(file.temporary, file.target, problem);
        if (problem) fail(file.target, problem.message());
        file.renamed = true;
    }
    committed_ = true;
    for (const Staged& file : staged_) sync_folder(folder_of(file.target));
}

} // namespace tailfix::io
