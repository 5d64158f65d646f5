// SPDX-License-Identifier: MIT
#include <pliant/expression/parse.h>

// The grammar of formulas: operator precedence over the tokens of scan.h, types checked on the way.
//
// After a problem the scanner is at its end and every function returns soon with a value that nobody reads. Each
// recursion goes through binary(), which counts the depth.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <pliant/expression/builder.h>
#include <pliant/expression/functions.h>
#include <pliant/expression/scan.h>

namespace pliant {

namespace {

// How tight operators bind; 0 is none.
constexpr int kOr = 1, kAnd = 2, kComparison = 4, kSum = 5, kProduct = 6, kPower = 8;

int tightness(const FormulaToken& token)
{
    if (token.kind != FormulaToken::Kind::symbol) return 0;
    const std::string_view symbol = token.text;
    if (symbol == "or") return kOr;
    if (symbol == "and") return kAnd;
    if (symbol == "<" || symbol == "<=" || symbol == ">" || symbol == ">=" || symbol == "==") return kComparison;
    if (symbol == "+" || symbol == "-") return kSum;
    if (symbol == "*" || symbol == "/") return kProduct;
    return symbol == "^" ? kPower : 0;
}

const char* described(FormulaType type)
{
    return type == FormulaType::number ? "a number" : type == FormulaType::vector ? "a vector" : "a condition";
}

/// "a number and a vector", "two vectors"
std::string described(FormulaType a, FormulaType b)
{
    if (a != b) return fmt::format("{} and {}", described(a), described(b));
    return fmt::format("two {}s", std::string_view(described(a)).substr(2));
}

/// What to do about an operator between values it does not take.
std::string operator_cure(std::string_view symbol, FormulaType a, FormulaType b)
{
    const bool has_condition = a == FormulaType::condition || b == FormulaType::condition;
    if (symbol == "and" || symbol == "or") return "they join comparisons such as x < 1";
    if (has_condition) return "put parentheses round the numbers, join conditions by and, or, not";
    if (symbol == "*") return "write dot(u, v) or cross(u, v)";
    if (symbol == "^") return a == FormulaType::vector ? "write dot(u, u) for a square" : "an exponent is a number";
    if (symbol == "+" || symbol == "-") return "take a component such as a.x, or norm(u)";
    if (symbol == "/") return "only numbers divide";
    return "compare components such as a.x, or norm(u)";
}

std::optional<std::size_t> component_number(std::string_view name)
{
    if (name == "x" || name == "y" || name == "z") return static_cast<std::size_t>(name[0] - 'x');
    return {};
}

class FormulaParser {
public:
    FormulaParser(std::string_view text, const Symbols& symbols, const FormulaOptions& options)
        : scan_(text)
        , text_(text)
        , symbols_(symbols)
        , options_(options)
    {
    }

    ExpressionRead read_number()
    {
        ExpressionRead read;
        const FormulaValue whole = everything(FormulaType::number);
        if (!scan_.has_stopped()) read.expression = finished(whole.nodes[0]);
        report(read);
        if (!read.ok()) read.expression = {};
        return read;
    }

    VectorExpressionRead read_vector()
    {
        VectorExpressionRead read;
        const FormulaValue whole = everything(FormulaType::vector);
        for (std::size_t i = 0; i < 3; ++i)
            if (!scan_.has_stopped()) read.components[i] = finished(whole.nodes[i]);
        report(read);
        if (!read.ok()) read.components = {};
        return read;
    }

    PredicateRead read_condition()
    {
        PredicateRead read;
        everything(FormulaType::condition);
        std::vector<Gap> gaps;
        for (const GapRoot& root : gap_roots_)
            if (!scan_.has_stopped()) gaps.push_back({finished(root.node), root.includes_zero});
        if (!scan_.has_stopped()) read.predicate = Predicate(std::string(text_), std::move(gaps), condition_nodes_);
        report(read);
        return read;
    }

private:
    struct GapRoot {
        int node;
        bool includes_zero;
    };

    template <class Read>
    void report(Read& read) const
    {
        if (!scan_.has_stopped()) return;
        read.problems.push_back(*scan_.problem());
        read.column = scan_.problem_column();
    }

    Expression finished(int root)
    {
        const std::optional<Expression> expression = build_.finish(root, text_);
        if (!expression)
            scan_.stop(0, fmt::format("the formula takes more than {} operations", kMaxInstructions),
                       "write it in several");
        return expression.value_or(Expression());
    }

    FormulaValue everything(FormulaType wanted)
    {
        if (scan_.next().kind == FormulaToken::Kind::end)
            return stopped(scan_.next().begin, fmt::format("the formula is empty, {} is expected", described(wanted)));
        const FormulaValue whole = binary(kOr);
        if (scan_.next().kind != FormulaToken::Kind::end) return unexpected("an operator or the end");
        if (whole.type != wanted && !scan_.has_stopped())
            return stopped(whole.begin, fmt::format("expected {}, found {}", described(wanted), described(whole.type)),
                           type_cure(wanted, whole.type));
        return whole;
    }

    static std::string type_cure(FormulaType wanted, FormulaType found)
    {
        if (wanted == FormulaType::condition) return "compare with < or >, such as a.y < 0.1";
        if (found == FormulaType::condition) return "comparisons belong to conditions; see clamp, min, max, smoothstep";
        return wanted == FormulaType::vector ? "write [x, y, z]" : "take a component such as a.x, norm(u) or dot(u, v)";
    }

    FormulaValue stopped(std::size_t begin, const std::string& message, const std::string& cure = {})
    {
        scan_.stop(begin, message, cure);
        return {};
    }

    FormulaValue unexpected(const std::string& expected)
    {
        const FormulaToken& token = scan_.next();
        const bool begins_value = token.kind == FormulaToken::Kind::number || token.kind == FormulaToken::Kind::name ||
                                  token.text == "(" || token.text == "[";
        const bool wants_operator = expected.starts_with("an operator");
        const std::string cure = begins_value && wants_operator ? "is a * missing?" : scan_.symbol_cure();
        return stopped(token.begin, fmt::format("expected {}, found {}", expected, scan_.found()), cure);
    }

    /// Operators that bind at least as tight.
    FormulaValue binary(int least)
    {
        if (depth_ == kMaxFormulaDepth)
            return stopped(scan_.next().begin,
                           fmt::format("parentheses, signs and powers nest deeper than {}", kMaxFormulaDepth),
                           "write it in several formulas");
        ++depth_;
        FormulaValue left = prefix();
        for (int tight = tightness(scan_.next()); tight >= std::max(least, 1); tight = tightness(scan_.next())) {
            if (tight == kComparison) {
                left = comparisons(left);
                continue;
            }
            const FormulaToken sign = scan_.take();
            // The right side of ^ may begin with a sign and holds further powers.
            const FormulaValue right = binary(tight == kPower ? kPower : tight + 1);
            left = tight <= kAnd ? joined(sign, left, right) : combined(sign, left, right);
        }
        --depth_;
        return left;
    }

    FormulaValue prefix()
    {
        const FormulaToken sign = scan_.next();
        if (scan_.take("not")) {
            const FormulaValue operand = binary(kComparison);
            if (scan_.has_stopped()) return {};
            if (operand.type != FormulaType::condition)
                return stopped(sign.begin, fmt::format("'not' of {}", described(operand.type)),
                               "it takes a comparison such as x < 1");
            return condition(sign, ConditionNode::Kind::opposite, operand, operand);
        }
        const bool is_minus = scan_.take("-");
        if (!is_minus && !scan_.take("+")) return component_of(operand());
        FormulaValue value = binary(kPower);
        if (value.type == FormulaType::condition && !scan_.has_stopped())
            return stopped(sign.begin, fmt::format("'{}' of a condition", sign.text), "write not");
        value.begin = sign.begin;
        return is_minus ? each(sign, value, [&](int node) { return build_.apply(Operation::negate, node); }) : value;
    }

    /// The same for the one or three numbers of a value.
    template <class Rule>
    FormulaValue each(const FormulaToken& sign, FormulaValue value, Rule rule)
    {
        if (scan_.has_stopped()) return {};
        build_.set_column(scan_.column(sign.begin));
        const std::size_t count = value.is_vector() ? 3 : 1;
        for (std::size_t i = 0; i < count; ++i) value.nodes[i] = rule(value.nodes[i]);
        return checked(sign, value);
    }

    /// Constants that are not finite are refused at once: nothing can become of them.
    FormulaValue checked(const FormulaToken& sign, const FormulaValue& value)
    {
        const std::size_t count = value.is_vector() ? 3 : 1;
        for (std::size_t i = 0; i < count; ++i)
            if (const auto number = build_.number(value.nodes[i]); number && !std::isfinite(*number))
                return stopped(sign.begin, "the result is not a finite number",
                               fmt::format("check what stands at '{}'", sign.text));
        return value;
    }

    FormulaValue combined(const FormulaToken& sign, const FormulaValue& a, const FormulaValue& b)
    {
        if (scan_.has_stopped()) return {};
        const std::string_view symbol = sign.text;
        const bool is_sum = symbol == "+" || symbol == "-", is_power = symbol == "^";
        const bool has_condition = a.type == FormulaType::condition || b.type == FormulaType::condition;
        const bool fits = is_sum            ? a.type == b.type
                          : is_power        ? a.is_number() && b.is_number()
                          : (symbol == "/") ? b.is_number()
                                            : a.is_number() || b.is_number();
        if (!fits || has_condition)
            return stopped(sign.begin, fmt::format("'{}' of {}", symbol, described(a.type, b.type)),
                           operator_cure(symbol, a.type, b.type));
        if (symbol == "/" && build_.number(b.nodes[0]) == 0.0)
            return stopped(sign.begin, "division by zero", "check what stands behind '/'");
        const double base = build_.number(a.nodes[0]).value_or(1);
        if (is_power && base < 0 && !build_.number(b.nodes[0]))
            return stopped(sign.begin, "a negative number to a power that varies is no number", "write -(x^y)");
        return checked(sign, numbers_combined(sign, a, b));
    }

    FormulaValue numbers_combined(const FormulaToken& sign, const FormulaValue& a, const FormulaValue& b)
    {
        build_.set_column(scan_.column(sign.begin));
        if (sign.text == "^") return {.nodes = {build_.power(a.nodes[0], b.nodes[0])}, .begin = a.begin};
        const Operation operation = sign.text == "+"   ? Operation::add
                                    : sign.text == "-" ? Operation::subtract
                                    : sign.text == "*" ? Operation::multiply
                                                       : Operation::divide;
        const bool is_vector = a.is_vector() || b.is_vector();
        FormulaValue result{.type = is_vector ? FormulaType::vector : FormulaType::number, .begin = a.begin};
        for (std::size_t i = 0; i < (is_vector ? 3U : 1U); ++i)
            result.nodes[i] = build_.apply(operation, a.nodes[a.is_vector() ? i : 0], b.nodes[b.is_vector() ? i : 0]);
        return result;
    }

    /// a < b, or a chain such as 0 < x <= 1, which means 0 < x and x <= 1.
    FormulaValue comparisons(FormulaValue left)
    {
        FormulaToken sign = scan_.take();
        FormulaValue right = binary(kSum);
        FormulaValue whole = compared(sign, left, right);
        while (tightness(scan_.next()) == kComparison) {
            left = right;
            sign = scan_.take();
            right = binary(kSum);
            whole = joined({.begin = sign.begin, .text = "and"}, whole, compared(sign, left, right));
        }
        return whole;
    }

    FormulaValue compared(const FormulaToken& sign, const FormulaValue& a, const FormulaValue& b)
    {
        if (scan_.has_stopped()) return {};
        if (sign.text == "==")
            return stopped(sign.begin, "'==' is hardly ever true: rounding and the lengths of steps miss equality",
                           "compare with < or >, the moment of crossing is then found");
        if (!a.is_number() || !b.is_number())
            return stopped(sign.begin, fmt::format("'{}' of {}", sign.text, described(a.type, b.type)),
                           operator_cure(sign.text, a.type, b.type));
        if (gap_roots_.size() == kMaxGaps)
            return stopped(sign.begin, fmt::format("the condition has more than {} comparisons", kMaxGaps),
                           "write it in several");
        const bool is_less = sign.text[0] == '<';
        const FormulaToken minus{.begin = sign.begin, .text = "-"};
        const FormulaValue gap = checked(sign, numbers_combined(minus, is_less ? b : a, is_less ? a : b));
        gap_roots_.push_back({gap.nodes[0], sign.text.ends_with('=')});
        return condition(sign, ConditionNode::Kind::gap, {.begin = a.begin}, {});
    }

    FormulaValue joined(const FormulaToken& word, const FormulaValue& a, const FormulaValue& b)
    {
        if (scan_.has_stopped()) return {};
        if (a.type != FormulaType::condition || b.type != FormulaType::condition)
            return stopped(word.begin, fmt::format("'{}' of {}", word.text, described(a.type, b.type)),
                           operator_cure(word.text, a.type, b.type));
        return condition(word, word.text == "and" ? ConditionNode::Kind::both : ConditionNode::Kind::either, a, b);
    }

    FormulaValue condition(const FormulaToken& word, ConditionNode::Kind kind, const FormulaValue& a,
                           const FormulaValue& b)
    {
        if (condition_nodes_.size() == kMaxConditionNodes)
            return stopped(word.begin,
                           fmt::format("the condition has more than {} comparisons and words", kMaxConditionNodes),
                           "write it in several");
        const int gap = static_cast<int>(gap_roots_.size()) - 1;
        const int node = static_cast<int>(condition_nodes_.size());
        condition_nodes_.push_back({kind, kind == ConditionNode::Kind::gap ? gap : a.nodes[0], b.nodes[0]});
        return {.type = FormulaType::condition, .nodes = {node}, .begin = std::min(word.begin, a.begin)};
    }

    FormulaValue operand()
    {
        const FormulaToken token = scan_.next();
        if (scan_.has_stopped()) return {};
        if (token.kind == FormulaToken::Kind::name) {
            scan_.take();
            return scan_.next_is("(") ? call(token) : named(token);
        }
        if (token.kind == FormulaToken::Kind::number) {
            scan_.take();
            build_.set_column(scan_.column(token.begin));
            return {.nodes = {build_.constant(token.number)}, .begin = token.begin};
        }
        if (scan_.take("(")) {
            FormulaValue inner = binary(kOr);
            inner.begin = token.begin;
            return closed(token, ")") ? inner : FormulaValue{};
        }
        if (scan_.take("[")) return written_vector(token);
        return unexpected("a number, a name or '('");
    }

    /// Takes the closing bracket, or stops.
    bool closed(const FormulaToken& open, std::string_view bracket)
    {
        if (scan_.take(bracket)) return true;
        const std::string where = fmt::format("column {}", scan_.column(open.begin));
        const std::string what = fmt::format("an operator or the '{}' that closes {}", bracket, where);
        unexpected(what);
        return false;
    }

    FormulaValue written_vector(const FormulaToken& open)
    {
        FormulaValue result{.type = FormulaType::vector, .begin = open.begin};
        for (std::size_t i = 0; i < 3; ++i) {
            const FormulaValue part = binary(kOr);
            if (!part.is_number() && !scan_.has_stopped())
                return stopped(part.begin, fmt::format("expected a number, found {}", described(part.type)),
                               "write [x, y, z]");
            result.nodes[i] = part.nodes[0];
            if (i < 2 && !scan_.take(",")) return unexpected("an operator or ',': a vector is [x, y, z]");
        }
        return closed(open, "]") ? result : FormulaValue{};
    }

    /// What stands before, or its component: (a - b).x
    FormulaValue component_of(const FormulaValue& value)
    {
        const FormulaToken dot = scan_.next();
        if (!scan_.take(".")) return value;
        const FormulaToken name = scan_.next();
        const auto component = component_number(name.name);
        if (!component) return unexpected("x, y or z after '.'");
        scan_.take();
        if (!value.is_vector())
            return stopped(dot.begin, fmt::format("'.{}' of {}", name.name, described(value.type)),
                           "only vectors have components");
        return {.nodes = {value.nodes[*component]}, .begin = value.begin};
    }

    FormulaValue call(const FormulaToken& name)
    {
        const FormulaToken open = scan_.take();
        const FormulaFunction* const function = find_function(name.name);
        if (!function)
            return stopped(name.begin, fmt::format("there is no function '{}'", name.name),
                           suggestion(name.name, function_names()));
        if (function->jumps && options_.differentiable)
            return stopped(name.begin, fmt::format("{} jumps, and derivatives of this formula are needed", name.text),
                           "use something smooth, such as smoothstep(low, high, x)");
        std::vector<FormulaValue> arguments;
        do {
            const FormulaValue argument = binary(kOr);
            if (!scan_.has_stopped()) check_argument(*function, arguments.size(), argument);
            arguments.push_back(argument);
        } while (scan_.take(","));
        if (!closed(open, ")")) return {};
        if (arguments.size() < function->parameter_count())
            return stopped(name.begin, fmt::format("{} takes more than {}", name.text, arguments.size()),
                           fmt::format("write {}", function->usage));
        build_.set_column(scan_.column(name.begin));
        return checked(name, {function->result, function->make(build_, arguments), name.begin});
    }

    void check_argument(const FormulaFunction& function, std::size_t i, const FormulaValue& argument)
    {
        const std::string cure = fmt::format("write {}", function.usage);
        if (i >= function.parameter_count() && !function.takes_more())
            return scan_.stop(argument.begin, fmt::format("{} takes no more than {}", function.name(), i), cure);
        const FormulaType wanted = function.parameter(i);
        if (argument.type != wanted)
            scan_.stop(
                argument.begin,
                fmt::format("{} takes {}, found {}", function.name(), described(wanted), described(argument.type)),
                function.name() == "abs" && argument.is_vector() ? "write norm(u)" : cure);
    }

    FormulaValue named(const FormulaToken& token)
    {
        build_.set_column(scan_.column(token.begin));
        if (const NumberSymbol* const number = find_number(token.name))
            return {.nodes = {build_.variable(number->variable, number->kind)}, .begin = token.begin};
        if (const auto point = find_point(token.name))
            return vector_of(point->position, VariableKind::position, token.begin);
        const std::size_t dot = token.name.rfind('.');
        if (dot != std::string::npos)
            if (const auto point = find_point(std::string_view(token.name).substr(0, dot)))
                return component(*point, token, token.name.substr(dot + 1));
        if (token.name == "pi" || token.name == "π")
            return {.nodes = {build_.constant(std::numbers::pi)}, .begin = token.begin};
        if (token.name == "e") return {.nodes = {build_.constant(std::numbers::e)}, .begin = token.begin};
        return unknown(token);
    }

    const NumberSymbol* find_number(std::string_view name) const
    {
        for (const NumberSymbol& number : symbols_.numbers)
            if (number.name == name) return &number;
        return nullptr;
    }

    std::optional<PointVariables> find_point(std::string_view name) const
    {
        for (const PointSymbol& point : symbols_.points)
            if (point.name == name) return point.variables;
        return symbols_.find_point ? symbols_.find_point(name) : std::nullopt;
    }

    FormulaValue vector_of(int first, VariableKind kind, std::size_t begin)
    {
        FormulaValue value{.type = FormulaType::vector, .begin = begin};
        for (int i = 0; i < 3; ++i) value.nodes[static_cast<std::size_t>(i)] = build_.variable(first + i, kind);
        return value;
    }

    FormulaValue component(const PointVariables& point, const FormulaToken& token, std::string_view name)
    {
        if (const auto i = component_number(name))
            return {.nodes = {build_.variable(point.position + static_cast<int>(*i), VariableKind::position)},
                    .begin = token.begin};
        const auto i = name.starts_with('v') ? component_number(name.substr(1)) : std::nullopt;
        if (name != "v" && !i)
            return stopped(token.begin, fmt::format("the point has no '{}': {}", name, token.text),
                           point.velocity ? "it has x, y, z, v, vx, vy, vz" : "it has x, y, z");
        if (!point.velocity)
            return stopped(token.begin, fmt::format("the point has no velocity here: {}", token.text),
                           "only its place may be used: x, y, z");
        if (!i) return vector_of(*point.velocity, VariableKind::velocity, token.begin);
        return {.nodes = {build_.variable(*point.velocity + static_cast<int>(*i), VariableKind::velocity)},
                .begin = token.begin};
    }

    FormulaValue unknown(const FormulaToken& token)
    {
        if (const FormulaFunction* const function = find_function(token.name))
            return stopped(token.begin, fmt::format("{} is a function", token.name),
                           fmt::format("write {}", function->usage));
        std::vector<std::string> names;
        for (const NumberSymbol& number : symbols_.numbers) names.push_back(number.name);
        const bool has_part = token.name.find('.') != std::string::npos;
        for (const PointSymbol& point : symbols_.points) {
            names.push_back(point.name);
            for (const char* part : {".x", ".y", ".z"})
                if (has_part) names.push_back(point.name + part);
            for (const char* part : {".v", ".vx", ".vy", ".vz"})
                if (has_part && point.variables.velocity) names.push_back(point.name + part);
        }
        names.emplace_back("pi");
        return stopped(token.begin, fmt::format("there is nothing named '{}'", token.name),
                       suggestion(token.name, names));
    }

    FormulaScanner scan_;
    std::string_view text_;
    const Symbols& symbols_;
    FormulaOptions options_;
    ExpressionBuilder build_;
    std::vector<GapRoot> gap_roots_;
    std::vector<ConditionNode> condition_nodes_;
    int depth_ = 0;
};

}  // namespace

ExpressionRead parse_expression(std::string_view text, const Symbols& symbols, const FormulaOptions& options)
{
    return FormulaParser(text, symbols, options).read_number();
}

VectorExpressionRead parse_vector_expression(std::string_view text, const Symbols& symbols,
                                             const FormulaOptions& options)
{
    return FormulaParser(text, symbols, options).read_vector();
}

PredicateRead parse_predicate(std::string_view text, const Symbols& symbols)
{
    return FormulaParser(text, symbols, {.differentiable = false}).read_condition();
}

}  // namespace pliant
