// SPDX-License-Identifier: MIT
#pragma once

// MadeOnUse: memory that belongs to one owner and is made when it is first needed. A copy of the owner begins without it and
// makes its own: two worlds that were copied never write into each other's. T may be incomplete where it is declared.

#include <memory>
#include <utility>

namespace pliant {

template <class T>
class MadeOnUse {
public:
    MadeOnUse() = default;
    MadeOnUse(const MadeOnUse&) {}
    MadeOnUse(MadeOnUse&&) noexcept = default;
    ~MadeOnUse() = default;
    MadeOnUse& operator=(const MadeOnUse& other)
    {
        if (this != &other) made_.reset();
        return *this;
    }
    MadeOnUse& operator=(MadeOnUse&&) noexcept = default;

    template <class... Arguments>
    T& make(Arguments&&... arguments)
    {
        made_ = std::make_shared<T>(std::forward<Arguments>(arguments)...);
        return *made_;
    }
    void reset() { made_.reset(); }

    explicit operator bool() const { return made_ != nullptr; }
    T* get() const { return made_.get(); }
    T& operator*() const { return *made_; }
    T* operator->() const { return made_.get(); }

private:
    std::shared_ptr<T>
        made_;  // which deletes what was complete when it was made; a unique_ptr would want that everywhere
};

}  // namespace pliant
