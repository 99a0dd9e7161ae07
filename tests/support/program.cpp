#include "support/program.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <sys/wait.h>

#include "support/glb.h"

namespace tailfix::test {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text)
{
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

} // namespace

ProgramRun run_tailfix(const fs::path& folder, const std::vector<std::string>& arguments)
{
    const TemporaryFolder streams; // beside the folder, which tests list
    std::string command = "cd " + quoted(folder.string()) + " && " + quoted(TAILFIX_PROGRAM);
    for (const auto& argument : arguments) command += " " + quoted(argument);
    command += " </dev/null >" + quoted((streams / "out").string()) + " 2>" + quoted((streams / "err").string());
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(streams / "out"), read_text(streams / "err")};
}

std::vector<std::string> everything_in(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        names.push_back(entry.path().lexically_relative(folder).generic_string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string read_text(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

std::vector<nlohmann::ordered_json> parse_reports(const std::string& text)
{
    const Json whole = Json::parse(text, nullptr, false);
    if (!whole.is_discarded()) return {whole};
    std::vector<Json> reports;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) reports.push_back(Json::parse(line));
    return reports;
}

} // namespace tailfix::test
