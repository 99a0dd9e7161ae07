// Runs one stage: times it, logs it, and names it in any error that leaves it.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

#include <spdlog/spdlog.h>

#include <tailfix/error.h>
#include <tailfix/pipeline.h>

namespace tailfix {

template <class Stage, class... Args>
auto Steps::operator()(std::string_view name, Stage&& stage, const Args&... args)
{
    if (on_start) on_start(name);
    const auto start = std::chrono::steady_clock::now();
    try {
        auto result = std::invoke(std::forward<Stage>(stage), args...);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
        spdlog::debug("{:<10} {:8.1f} ms", name, took.count());
        timings.push_back({std::string(name), took.count()});
        return result;
    } catch (Error& error) {
        if (error.stage.empty()) error.stage = name;
        throw;
    }
}

} // namespace tailfix
