// SPDX-License-Identifier: MIT

// Power laws through points: y = c x^p, a straight line in log-log.

#include <pliant/record/chart.h>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

struct PowerLaw {
    double slope = std::numeric_limits<double>::quiet_NaN();
    double log_factor = 0.0;  // log10 c
    double lo = std::numeric_limits<double>::infinity();
    double hi = 0.0;
};

// Least squares in the logarithms, about their mean to keep the digits.
PowerLaw power_law(const Series& series)
{
    PowerLaw law;
    std::vector<double> u, v;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        const double x = series.x[i], y = series.y[i];
        if (!(x > 0.0 && y > 0.0) || !std::isfinite(x) || !std::isfinite(y)) continue;
        u.push_back(std::log10(x)), v.push_back(std::log10(y));
        law.lo = std::min(law.lo, x), law.hi = std::max(law.hi, x);
    }
    if (!(law.lo < law.hi)) return law;
    double mean_u = 0.0, mean_v = 0.0, uu = 0.0, uv = 0.0;
    const double count = static_cast<double>(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) mean_u += u[i] / count, mean_v += v[i] / count;
    for (std::size_t i = 0; i < u.size(); ++i) {
        uu += (u[i] - mean_u) * (u[i] - mean_u);
        uv += (u[i] - mean_u) * (v[i] - mean_v);
    }
    law.slope = uv / uu;
    law.log_factor = mean_v - law.slope * mean_u;
    return law;
}

}  // namespace

double fitted_slope(const Series& series)
{
    return power_law(series).slope;
}

Series fitted_line(const Series& series)
{
    const PowerLaw law = power_law(series);
    Series line;
    line.style = SeriesStyle::dashed;
    line.colour_like = series.name;
    if (std::isnan(law.slope)) return line;
    line.name = fmt::format("slope {:.2f}", law.slope);
    for (const double x : {law.lo, law.hi}) {
        line.x.push_back(x);
        line.y.push_back(std::pow(10.0, law.log_factor + law.slope * std::log10(x)));
    }
    return line;
}

}  // namespace pliant
