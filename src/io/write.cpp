#include <tailfix/io/write.h>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/additions.h"
#include "io/container.h"
#include "io/document.h"
#include "io/replaced_keys.h"
#include "io/splice.h"
#include "io/staged_files.h"

namespace tailfix {
namespace io {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> bytes_of_file(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::error_code problem;
    const std::uintmax_t size = fs::file_size(path, problem);
    std::vector<std::byte> bytes(problem ? 0 : size);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!in || problem) throw Error(Failure::Unwritable, fmt::format("{}: cannot be read to be copied", path.string()));
    return bytes;
}

// Copies the input's side files beside the output. One that is there already, with the same content, stays; with other
// content it may belong to another model, and is never replaced.
void stage_side_files(const SourceDocument& source, const std::vector<fs::path>& files, const fs::path& output,
                      StagedFiles& staged)
{
    for (const fs::path& file : files) {
        const fs::path from = source.path.parent_path() / file;
        const fs::path to = output.parent_path() / file;
        if (is_same_file(from, to)) continue;
        const std::vector<std::byte> bytes = bytes_of_file(from);
        std::error_code ignored;
        if (fs::exists(to, ignored)) {
            if (bytes_of_file(to) == bytes) continue;
            throw Error(Failure::Unwritable,
                        fmt::format("{}: exists with other content than the input's file of that name", to.string()));
        }
        const Bytes part = bytes;
        staged.add(to, {&part, 1});
    }
}

void stage_glb(const SourceDocument& source, const Container& container, const std::string& text,
               const std::vector<Bytes>& home, const fs::path& output, StagedFiles& staged)
{
    std::vector<Bytes> bin;
    if (container.home == Home::BinChunk)
        bin = home;
    else if (source.glb && source.glb->bin)
        bin = {*source.glb->bin};
    std::size_t size = 0;
    for (const Bytes part : bin) size += part.size();
    const Bytes others = source.glb ? source.glb->others : Bytes();
    const std::vector<std::byte> head = glb_head(text, size, others.size());
    std::vector<Bytes> parts = {head};
    parts.insert(parts.end(), bin.begin(), bin.end());
    parts.push_back(others);
    staged.add(output, parts);
}

} // namespace
} // namespace io

std::vector<std::vector<std::size_t>> write_fixed(const Loaded& loaded, const std::vector<RigEdit>& edits,
                                                  const std::filesystem::path& output)
{
    const SourceDocument& source = *loaded.source;
    io::refuse_input_as_output(source, output);
    io::Json document = source.json;
    const auto kept = io::drop_replaced_keys(source, edits, document);
    const io::Container container = io::plan_container(source, output, kept, document);
    io::Additions additions(document, container.place);
    auto sizes = io::splice(source, edits, document, additions);
    additions.install(document);
    io::finish_container(container, additions.bytes(), document);

    const std::string text = io::print_json(document, source.text);
    std::vector<io::Bytes> home = container.before;
    home.push_back(additions.bytes());
    io::StagedFiles staged;
    io::stage_side_files(source, container.side_files, output, staged);
    if (container.home == io::Home::SideFile && (!additions.bytes().empty() || !container.before.empty()))
        staged.add(output.parent_path() / container.side_file, home);
    if (container.glb) {
        io::stage_glb(source, container, text, home, output, staged);
    } else {
        const io::Bytes part = std::as_bytes(std::span(text.data(), text.size()));
        staged.add(output, {&part, 1});
    }
    staged.commit();
    return sizes;
}

void write_copy(const Loaded& loaded, const std::filesystem::path& output)
{
    const SourceDocument& source = *loaded.source;
    // A copy under a name that promises the other container would be a file that others cannot open.
    if (io::is_gltf_name(output) == source.glb.has_value()) {
        write_fixed(loaded, {}, output);
        return;
    }
    io::refuse_input_as_output(source, output);
    io::StagedFiles staged;
    io::stage_side_files(source, io::side_files_of(source, source.json), output, staged);
    const io::Bytes part = source.file;
    staged.add(output, {&part, 1});
    staged.commit();
}

} // namespace tailfix
