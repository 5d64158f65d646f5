// SPDX-License-Identifier: MIT
#include <pliant/record/actions.h>

#include <fmt/format.h>

#include <pliant/base/json.h>
#include <pliant/base/json_write.h>

namespace pliant {

namespace {

std::string text_of(const LiveValue& value)
{
    std::string text;
    JsonWriter(text, JsonStyle::compact).value(std::span(value.number.data(), value.count));
    return text;
}

LiveValue value_of(const RecordedInput& input)
{
    const JsonRead read = parse_json(input.value, input.target);
    LiveValue value;
    bool is_good = read.problems.empty() && read.value.is_array() && read.value.items.size() <= value.number.size();
    for (const Json& item : read.value.items) {
        if (!is_good || !item.is_number()) break;
        value.number[value.count++] = item.number;
    }
    is_good = is_good && value.count > 0 && value.count == static_cast<std::int32_t>(read.value.items.size());
    if (!is_good)
        throw Error(Problem{.message = fmt::format("{}: found {}, expected one to three numbers in brackets",
                                                   input.target, input.value)});
    return value;
}

}  // namespace

void perform(World& world, const Action& action)
{
    if (const auto* change = std::get_if<LiveChange>(&action))
        apply_input(world, change->target, change->value);
    else
        apply_hand(world, std::get<HandAction>(action));
}

RecordedInput recorded(const World& world, const Action& action)
{
    if (const auto* hand = std::get_if<HandAction>(&action))
        return {world.state.time, hand_path(hand->hand), to_json(*hand)};
    const auto& change = std::get<LiveChange>(action);
    return {world.state.time, world.model->live_paths[change.target].path, text_of(change.value)};
}

void add_scene_inputs(RecordingWriter& writer, const Model& model)
{
    for (const Input& input : model.inputs)
        writer.add_input({input.time, model.live_paths[input.target].path, text_of(input.value)});
}

Action action_of(const World& world, const RecordedInput& input)
{
    if (is_hand_path(input.target)) return hand_action(input.target, input.value);
    const std::int32_t target = find_live_path(*world.model, input.target);
    if (target < 0)
        throw Error(Problem{.message = fmt::format("'{}' is not a live parameter of this scene", input.target)});
    return LiveChange{target, value_of(input)};
}

}  // namespace pliant
