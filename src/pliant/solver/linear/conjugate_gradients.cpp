// SPDX-License-Identifier: MIT
#include <pliant/solver/linear/conjugate_gradients.h>

#include <cmath>

#include <pliant/solver/linear/contact_product.h>

namespace pliant {

namespace {

constexpr std::size_t kNodesPerChunk = 4096;

double inner(std::span<const Vec3> a, std::span<const Vec3> b)
{
    return parallel_sum<double>(a.size(), kNodesPerChunk, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += dot(a[i], b[i]);
        return sum;
    });
}

template <class F>
void for_each_row(std::size_t count, F&& f)
{
    parallel_for(count, kNodesPerChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i) f(i);
    });
}

void clear_held(std::span<Vec3> values, std::span<const std::uint8_t> held)
{
    for (std::size_t i = 0; i < held.size(); ++i)
        if (held[i] != 0)
            for (int k = 0; k < 3; ++k)
                if (held[i] >> k & 1) values[i][k] = 0;
}

// The block with held rows and columns replaced by those of the identity.
Mat3 without_held(Mat3 a, std::uint8_t held)
{
    for (int k = 0; k < 3; ++k)
        if (held >> k & 1)
            for (int j = 0; j < 3; ++j) a.m[k][j] = a.m[j][k] = j == k ? 1 : 0;
    return a;
}

bool is_positive_definite(const Mat3& a)
{
    const double second = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
    return a.m[0][0] > 0 && second > 0 && determinant(a) > 0;
}

// Inverses of all diagonal blocks; the first node whose block is not positive definite, or -1.
std::int32_t invert_diagonal(std::span<Mat3> inverses, const BlockMatrix& A, std::span<const std::uint8_t> held)
{
    for (std::int32_t row = 0; row < A.row_count(); ++row) {
        const Mat3 a = without_held(A.diagonal(row), held.empty() ? std::uint8_t{0} : held[row]);
        if (!is_positive_definite(a)) return row;
        inverses[row] = inverse(a);
    }
    return -1;
}

}  // namespace

void LinearScratch::size_for(const BlockMatrix& A, std::size_t more)
{
    const auto rows = static_cast<std::size_t>(A.row_count());
    for (auto* values : {&r, &z, &p, &q}) values->resize(rows + more);
    windows.resize(A.window_size);
    inverse.resize(rows);
}

namespace {

// The iteration, whatever multiplies and preconditions: q = A p and z = M r. s.r holds b.
template <class Multiply, class Precondition>
LinearResult iterate(std::span<Vec3> x, const LinearOptions& options, LinearScratch& s, Multiply&& multiply_by_matrix,
                     Precondition&& precondition)
{
    LinearResult result;
    const std::size_t n = x.size();
    std::fill(x.begin(), x.end(), Vec3{});
    const auto r = std::span(s.r).first(n), z = std::span(s.z).first(n), p = std::span(s.p).first(n),
               q = std::span(s.q).first(n);
    const double size = std::sqrt(inner(r, r));
    if (size == 0) return result;
    result.residual = 1;
    const auto failed = [&](LinearStatus status) {
        result.status = status;
        return result;
    };
    std::fill(p.begin(), p.end(), Vec3{});
    double rz_before = 1, first_way = 0;
    while (result.iterations < options.most_iterations) {
        precondition();
        if (options.measures_way) {
            const double way = std::sqrt(inner(z, z));
            if (result.iterations == 0) first_way = way;
            result.residual = way / first_way;
            if (result.residual <= options.tolerance) return result;
        }
        const double rz = inner(r, z);
        if (!(rz > 0)) return failed(LinearStatus::indefinite);
        const double beta = result.iterations == 0 ? 0 : rz / rz_before;
        rz_before = rz;
        for_each_row(n, [&](std::size_t i) { p[i] = z[i] + p[i] * beta; });
        multiply_by_matrix();
        const double curvature = inner(p, q);
        if (!(curvature > 0)) return failed(LinearStatus::indefinite);
        const double alpha = rz / curvature;
        for_each_row(n, [&](std::size_t i) { x[i] += p[i] * alpha, r[i] -= q[i] * alpha; });
        ++result.iterations;
        if (options.measures_way) continue;
        result.residual = std::sqrt(inner(r, r)) / size;
        if (result.residual <= options.tolerance) return result;
    }
    return failed(LinearStatus::not_converged);
}

}  // namespace

LinearResult conjugate_gradients(std::span<Vec3> x, const BlockMatrix& A, std::span<const Vec3> b,
                                 std::span<const std::uint8_t> held, const LinearOptions& options, LinearScratch& s)
{
    std::copy(b.begin(), b.end(), s.r.begin());
    clear_held(s.r, held);
    const std::int32_t bad = invert_diagonal(s.inverse, A, held);
    if (bad >= 0) {
        std::fill(x.begin(), x.end(), Vec3{});
        return {.status = LinearStatus::indefinite, .residual = 1, .row = bad};
    }
    return iterate(
        x, options, s,
        [&] {
            multiply(s.q, A, s.p, s.windows);
            clear_held(s.q, held);
        },
        [&] { for_each_row(x.size(), [&](std::size_t i) { s.z[i] = s.inverse[i] * s.r[i]; }); });
}

LinearResult bordered_conjugate_gradients(std::span<Vec3> x, const BlockMatrix& A, std::span<const BorderRow> borders,
                                          std::span<const Vec3> b, Preconditioner* preconditioner,
                                          const LinearOptions& options, LinearScratch& s,
                                          const ContactProduct* contacts)
{
    std::copy(b.begin(), b.end(), s.r.begin());
    const auto rows = static_cast<std::size_t>(A.row_count());
    if (const std::int32_t bad = preconditioner ? -1 : invert_diagonal(s.inverse, A, {}); bad >= 0) {
        std::fill(x.begin(), x.end(), Vec3{});
        return {.status = LinearStatus::indefinite, .residual = 1, .row = bad};
    }
    return iterate(
        x, options, s,
        [&] {
            multiply(std::span(s.q).first(rows), A, std::span(s.p).first(rows), s.windows);
            for (const BorderRow& row : borders) {
                const double along =
                    row.stiffness * inner(std::span(row.gradient).first(rows), std::span(s.p).first(rows));
                for_each_row(rows, [&](std::size_t i) { s.q[i] += row.gradient[i] * along; });
            }
            if (contacts == nullptr) return;
            std::fill(s.q.begin() + static_cast<std::ptrdiff_t>(rows), s.q.end(), Vec3{});
            contacts->add_product([&](std::size_t i) { return s.p[i]; },
                                  [&](std::size_t i, const Vec3& v) { s.q[i] += v; });
        },
        [&] {
            if (preconditioner)
                preconditioner->apply(std::span(s.z).first(rows), A, std::span(s.r).first(rows));
            else
                for_each_row(rows, [&](std::size_t i) { s.z[i] = s.inverse[i] * s.r[i]; });
            if (contacts != nullptr) contacts->precondition_frames(s.z, s.r);
        });
}

}  // namespace pliant
