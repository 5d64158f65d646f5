// SPDX-License-Identifier: MIT
#include <pliant/model/state.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <variant>

#include <pliant/base/error.h>
#include <pliant/base/hash.h>

namespace pliant {

namespace {

// Plain structs without padding, of which there are as many as there happen to be.
template <class T>
concept CountedAsItCame = std::is_same_v<T, Touch> || std::is_same_v<T, Grip>;

// Parameter structs are written member by member through describe(), so that padding never counts.
template <class Sink>
struct Writer {
    Sink& sink;

    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(const T& value) const { sink(&value, sizeof value); }
    void operator()(const Vec3& value) const { sink(&value, sizeof value); }
    void operator()(const AutoCount& value) const { (*this)(value.value); }
    template <Described T>
    void operator()(const T& value) const
    {
        T copy = value;
        describe([this](const Field&, auto& member) { (*this)(member); }, copy);
    }
    void operator()(const Energy& value) const
    {
        (*this)(static_cast<std::int32_t>(value.index()));
        std::visit([this](const auto& energy) { (*this)(energy); }, value);
    }
    template <class T>
    void operator()(const std::vector<T>& values) const
    {
        (*this)(static_cast<std::int64_t>(values.size()));
        if constexpr (std::is_same_v<T, Vec3> || CountedAsItCame<T> || std::is_arithmetic_v<T>)
            sink(values.data(), values.size() * sizeof(T));
        else
            for (const T& value : values) (*this)(value);
    }
};

struct Reader {
    std::span<const std::byte>& bytes;
    std::int64_t most = 0;  // vectors: vectors that only some solvers keep may come or go, up to this size

    void take(void* to, std::size_t size) const
    {
        if (size > bytes.size())
            throw Error(
                Problem{.message = "the snapshot ends too early: it is damaged", .cure = "run again without --resume"});
        if (size > 0) std::memcpy(to, bytes.data(), size);
        bytes = bytes.subspan(size);
    }
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void operator()(T& value) const { take(&value, sizeof value); }
    void operator()(Vec3& value) const { take(&value, sizeof value); }
    void operator()(AutoCount& value) const { (*this)(value.value); }
    template <Described T>
    void operator()(T& value) const
    {
        describe([this](const Field&, auto& member) { (*this)(member); }, value);
    }
    void operator()(Energy& value) const
    {
        std::int32_t index = 0;
        (*this)(index);
        if (index != static_cast<std::int32_t>(value.index()))
            throw Error(Problem{.message = "the snapshot is of another kind of energy"});
        std::visit([this](auto& energy) { (*this)(energy); }, value);
    }
    template <CountedAsItCame T>
    void operator()(std::vector<T>& values) const
    {
        std::int64_t count = 0;
        (*this)(count);
        if (count < 0 || count > static_cast<std::int64_t>(bytes.size() / sizeof(T)))
            throw Error(
                Problem{.message = "the snapshot ends too early: it is damaged", .cure = "run again without --resume"});
        values.resize(static_cast<std::size_t>(count));
        take(values.data(), values.size() * sizeof(T));
    }
    template <class T>
    void operator()(std::vector<T>& values) const
    {
        std::int64_t count = 0;
        (*this)(count);
        const bool may_differ = std::is_same_v<T, Vec3> && (count == 0 || values.empty()) && count <= most;
        if (count != static_cast<std::int64_t>(values.size()) && !may_differ)
            throw Error(Problem{.message = "the snapshot has other sizes than the scene"});
        if constexpr (std::is_same_v<T, Vec3>) values.resize(static_cast<std::size_t>(count));
        if constexpr (std::is_same_v<T, Vec3> || std::is_arithmetic_v<T>)
            take(values.data(), values.size() * sizeof(T));
        else
            for (T& value : values) (*this)(value);
    }
};

}  // namespace

void copy_all_but_motion(State& to, const State& from)
{
    to.time = from.time, to.step = from.step, to.held = from.held;
    to.world = from.world, to.solver = from.solver, to.contact = from.contact;
    to.bodies = from.bodies, to.live = from.live, to.gas = from.gas, to.pins = from.pins, to.loads = from.loads;
    to.radials = from.radials, to.goals = from.goals, to.inner = from.inner, to.touched = from.touched;
    to.constraints = from.constraints, to.multipliers = from.multipliers;
    to.events = from.events, to.event_count = from.event_count;
    to.x_before = from.x_before, to.v_before = from.v_before, to.matrix_x = from.matrix_x;
    to.touches = from.touches, to.grips = from.grips, to.tally = from.tally;
    to.impulse = from.impulse, to.pin_impulse = from.pin_impulse, to.history = from.history, to.ledger = from.ledger;
    std::copy(std::begin(from.ranges), std::end(from.ranges), std::begin(to.ranges));
}

namespace {

// What visit(writer) writes, as 64 bits.
template <class Visit>
std::uint64_t hash_of(Visit&& visit)
{
    Hash h;
    auto sink = [&](const void* data, std::size_t size) {
        h.add(std::span(static_cast<const std::byte*>(data), size));
    };
    visit(Writer<decltype(sink)>{sink});
    return h.value();
}

}  // namespace

std::uint64_t hash(const State& state)
{
    return hash_of([&](const auto& writer) { visit_state(state, writer); });
}

std::uint64_t hash_of_materials(const State& state)
{
    return hash_of([&](const auto& writer) { writer(state.live), writer(state.inner); });
}

std::vector<std::byte> save(const State& state, std::uint64_t model_id)
{
    std::vector<std::byte> bytes;
    bytes.reserve(state.x.size() * 2 * sizeof(Vec3) + 4096);
    auto sink = [&](const void* data, std::size_t size) {
        const std::size_t end = bytes.size();
        bytes.resize(end + size);
        if (size > 0) std::memcpy(bytes.data() + end, data, size);
    };
    const Writer<decltype(sink)> write{sink};
    write(model_id);
    visit_state(state, write);
    return bytes;
}

void load(State& state, std::span<const std::byte> bytes, std::uint64_t model_id)
{
    const Reader read{bytes, static_cast<std::int64_t>(state.x.size())};
    std::uint64_t id = 0;
    read(id);
    if (id != model_id)
        throw Error(
            Problem{.message = "the snapshot belongs to another scene: bodies, meshes or fixed parameters differ",
                    .cure = "resume with the scene that the take was made with"});
    State loaded = state;
    visit_state(loaded, read);
    const auto same_size = [](const auto& a, const auto& b) { return a.size() == b.size(); };
    if (!same_size(loaded.x, state.x) || !same_size(loaded.v, state.v) || !same_size(loaded.impulse, state.impulse) ||
        !same_size(loaded.pin_impulse, state.pin_impulse))
        throw Error(Problem{.message = "the snapshot has other sizes than the scene"});
    if (!bytes.empty())
        throw Error(Problem{.message = "the snapshot goes on after its end: it is damaged",
                            .cure = "run again without --resume"});
    state = std::move(loaded);
}

}  // namespace pliant
