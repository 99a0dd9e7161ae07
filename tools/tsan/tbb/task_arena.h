// See parallel_for.h.
#pragma once

namespace tbb {

class task_arena {
public:
    static constexpr int automatic = -1;

    explicit task_arena(int = automatic) {}

    template <class Work>
    auto execute(const Work& work)
    {
        return work();
    }
};

} // namespace tbb
