// SPDX-License-Identifier: MIT
#include <pliant/mesh/shape_checks.h>

#include <cmath>

#include <fmt/format.h>

#include <pliant/base/error.h>

namespace pliant {

namespace {

constexpr double kMaxVertices = 1e8;

[[noreturn]] void refuse(const char* shape, std::string message, std::string cure)
{
    throw Error(Problem{.file = "", .line = 0, .where = shape, .message = std::move(message), .cure = std::move(cure)});
}

}  // namespace

void require_positive(const char* shape, const char* what, double number)
{
    if (std::isfinite(number) && number > 0) return;
    refuse(shape, fmt::format("the {} is {}, expected a length above 0", what, number), "lengths are in metres");
}

void require_at_least(const char* shape, const char* what, int count, int lowest)
{
    if (count >= lowest) return;
    refuse(shape, fmt::format("{} {}, expected at least {}", count, what, lowest), "");
}

void require_vertices(const char* shape, double vertex_count)
{
    if (vertex_count <= kMaxVertices) return;
    refuse(shape,
           fmt::format("about {:.3g} vertices asked for, at most {:.0g} can be made", vertex_count, kMaxVertices),
           "use fewer cells");
}

double centred(double size, int i, int n)
{
    return size * (static_cast<double>(2 * std::int64_t{i} - (n - 1)) / (2.0 * (n - 1)));
}

}  // namespace pliant
