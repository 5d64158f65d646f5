// SPDX-License-Identifier: MIT

// Momentum of sweeps on a chain of springs, where it is known where they end: it gets there sooner, and begins anew when told.

#include <pliant/solver/momentum.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <pliant/base/parallel.h>

namespace pliant {
namespace {

/// 200 points between two held ends, 0 and 1: at rest on a straight line.
class Chain {
public:
    Chain() : x_(200) {}

    void sweep_there_and_back()
    {
        for (std::size_t i = 0; i < x_.size(); ++i) relax(i);
        for (std::size_t i = x_.size(); i-- > 0;) relax(i);
    }
    double off() const
    {
        double most = 0;
        for (std::size_t i = 0; i < x_.size(); ++i)
            most =
                std::max(most, std::abs(x_[i].x - static_cast<double>(i + 1) / (static_cast<double>(x_.size()) + 1)));
        return most;
    }
    std::vector<Particle>& x() { return x_; }

private:
    void relax(std::size_t i)
    {
        const double before = i == 0 ? 0 : x_[i - 1].x, after = i + 1 == x_.size() ? 1 : x_[i + 1].x;
        x_[i].x = (before + after) / 2;
    }
    std::vector<Particle> x_;
};

int pairs_until(double off, bool with_momentum)
{
    Chain chain;
    Momentum momentum;
    int pairs = 0;
    for (; chain.off() > off && pairs < 100'000; ++pairs) {
        if (with_momentum) momentum.carry_on(chain.x());
        chain.sweep_there_and_back();
    }
    return pairs;
}

TEST(Momentum, NeedsAboutTheRootOfTheSweeps)
{
    const int plain = pairs_until(1e-6, false), carried = pairs_until(1e-6, true);
    EXPECT_GT(plain, 10'000);
    EXPECT_LT(carried, plain / 20);
    EXPECT_LT(carried, 8 * std::sqrt(plain));
}

TEST(Momentum, LeavesWhatIsAtRestWhereItIs)
{
    Chain chain;
    for (std::size_t i = 0; i < chain.x().size(); ++i) chain.x()[i].x = static_cast<double>(i + 1) / 201;
    const std::vector<Particle> before = chain.x();
    Momentum momentum;
    for (int k = 0; k < 10; ++k) momentum.carry_on(chain.x());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(chain.x()[i].x, before[i].x);
}

TEST(Momentum, CarriesOnFarther)
{
    std::vector<Particle> x(1);
    Momentum momentum;
    const double w = x[0].w = 7;
    for (const double led : {0.0, 1.0, 2.0}) {
        x[0].x = led;
        momentum.carry_on(x);
    }
    const double t2 = (1 + std::sqrt(5)) / 2, t3 = (1 + std::sqrt(1 + 4 * t2 * t2)) / 2;
    EXPECT_DOUBLE_EQ(x[0].x, 2 + (t2 - 1) / t3);
    EXPECT_EQ(x[0].w, w) << "the inverse mass rides along";
}

TEST(Momentum, IsLostWhereAPairLeadsBackAndWhenTold)
{
    std::vector<Particle> x(1);
    Momentum momentum;
    const auto carried = [&](double led) {
        x[0].x = led;
        momentum.carry_on(x);
        return x[0].x;
    };
    carried(0), carried(1);
    EXPECT_GT(carried(2), 2);
    EXPECT_EQ(carried(2.1), 2.1) << "from farther on it led back";
    carried(3);
    EXPECT_GT(carried(4), 4);
    momentum.lose();
    EXPECT_EQ(carried(5), 5);
}

TEST(Momentum, HasTheSameBitsForOneAndTwoThreads)
{
    std::vector<double> ends[2];
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        std::vector<Particle> x(40'000);
        Momentum momentum;
        for (int k = 0; k < 20; ++k) {
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i].x += std::sin(static_cast<double>(i * i)) * std::pow(0.8, k) * (k % 7 == 6 ? -1 : 1);
            momentum.carry_on(x);
        }
        for (const Particle& p : x) ends[threads - 1].push_back(p.x);
    }
    set_thread_count(0);
    EXPECT_EQ(ends[0], ends[1]);
}

}  // namespace
}  // namespace pliant
