// A progress line on a terminal, and nothing anywhere else.
#pragma once

#include <string>
#include <string_view>

namespace tailfix {

class Progress {
public:
    // Shows nothing unless `enabled` and stderr is a terminal.
    Progress(std::string label, bool enabled);
    ~Progress(); // clears the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void stage(std::string_view name);

private:
    std::string label_;
    bool visible_;
};

} // namespace tailfix
