// SPDX-License-Identifier: MIT
#include <pliant/response/particle_response.h>

#include <algorithm>
#include <cmath>

#include <pliant/base/error.h>
#include <pliant/base/parallel.h>

namespace pliant {

namespace {

// A search takes about as long as some hundred flops: this many are worth a task of their own.
constexpr std::size_t kGrain = 64;

Vec3 along_plane(const Vec3& a, const Vec3& normal)
{
    return a - normal * dot(normal, a);
}

/// a shortened by `loss`, to nothing at most.
Vec3 shortened(const Vec3& a, double loss)
{
    const double length = norm(a), left = length - loss;
    return left > 0 ? a * (left / length) : Vec3{};
}

bool slides(ParticleRule rule)
{
    return rule == ParticleRule::thesis_b || rule == ParticleRule::coulomb;
}

/// One particle on its way through the step.
class Walk {
public:
    Walk(const ParticleStep& step, const ParticleResponseOptions& options)
        : step_{step}
        , options_{options}
        , safe_{step.p0}
        , target_{step.p1}
        , v_{step.v}
    {
    }

    ParticleMove go(const StaticTriangles& obstacles, SweepCounters& counters)
    {
        SegmentHit hit;
        std::int32_t object = -1;
        for (int sweep = 0; sweep < options_.sweeps; ++sweep) {
            if (!obstacles.first_hit(safe_, target_, hit, object, counters)) return end();
            meet(hit, options_.friction.empty() ? 0 : options_.friction[static_cast<std::size_t>(object)]);
        }
        if (options_.sweeps > 1) stay();
        return end();
    }

private:
    void meet(const SegmentHit& hit, double friction)
    {
        Vec3 place = position_after_hit(options_.rule, safe_, target_, hit, options_.epsilon, friction);
        Vec3 velocity = velocity_after_hit(v_, hit.normal, friction);
        safe_ = safe_point(safe_, hit, options_.epsilon);
        if (slides(options_.rule) && move_.hits > 0 && dot(last_normal_, place - safe_) < 0)
            follow_crease(place, velocity, hit.normal);
        if (options_.rule != ParticleRule::coulomb) velocity = (place - step_.p0) / step_.h;
        move_.friction_loss += 0.5 * (norm2(along_plane(v_, hit.normal)) - norm2(along_plane(velocity, hit.normal)));
        target_ = place, v_ = velocity, last_normal_ = hit.normal;
        ++move_.hits;
    }

    // Faces that throw the particle back through each other leave one direction; without one it stays.
    void follow_crease(Vec3& place, Vec3& velocity, const Vec3& normal) const
    {
        const Vec3 crease = cross(last_normal_, normal);
        const double length2 = norm2(crease);
        if (length2 == 0) return;
        place = safe_ + crease * (dot(crease, place - safe_) / length2);
        velocity = crease * (dot(crease, velocity) / length2);
    }

    void stay()
    {
        move_.stayed = true;
        target_ = safe_;
        v_ = (safe_ - step_.p0) / step_.h;
    }

    ParticleMove end()
    {
        move_.position = target_, move_.velocity = v_;
        if (move_.hits > 0) move_.normal_loss = 0.5 * (norm2(step_.v) - norm2(v_)) - move_.friction_loss;
        return move_;
    }

    const ParticleStep& step_;
    const ParticleResponseOptions& options_;
    Vec3 safe_;    // a point that the particle reaches freely
    Vec3 target_;  // where it would go from there
    Vec3 v_;       // with which velocity it would arrive
    Vec3 last_normal_;
    ParticleMove move_;
};

/// A held coordinate stays as proposed, whatever it meets; its share of the loss is along normals.
void keep_held(ParticleMove& move, const ParticleStep& step, unsigned held)
{
    for (int k = 0; k < 3; ++k)
        if ((held >> k & 1U) != 0) move.position[k] = step.p1[k], move.velocity[k] = step.v[k];
    move.normal_loss = 0.5 * (norm2(step.v) - norm2(move.velocity)) - move.friction_loss;
}

void sweep_particle(ParticleSweep& sum, const SweptParticles& particles, std::size_t i, double h,
                    const StaticTriangles& obstacles, const ParticleResponseOptions& options)
{
    const unsigned held = particles.held.empty() ? 0U : particles.held[i] & 7U;
    if (held == 7) return;
    const ParticleStep step{particles.x_before[i], particles.x[i], particles.v[i], h};
    ParticleMove move = respond(step, obstacles, options, sum.counters);
    if (!move.finite) {
        if (sum.first_bad < 0) sum.first_bad = static_cast<std::int32_t>(i);
        ++sum.not_finite;
    }
    if (move.hits == 0) return;
    if (held != 0) keep_held(move, step, held);
    const double m = particles.mass[i];
    ++sum.corrected;
    if (move.stayed) ++sum.stayed;
    sum.normal_loss += m * move.normal_loss, sum.friction_loss += m * move.friction_loss;
    sum.shift += (move.position - step.p1) * m;
    if (!particles.v_before.empty()) {
        const Vec3& v0 = particles.v_before[i];
        sum.loss += m * (0.5 * (norm2(v0) - norm2(move.velocity)) + dot(step.v - v0, move.position - step.p0) / h);
    }
    particles.x[i] = move.position, particles.v[i] = move.velocity;
    if (!particles.impulse.empty()) particles.impulse[i] += (move.velocity - step.v) * m;
}

// No particle rests nearer to a face than this share of eps, which is far above rounding.
constexpr double kLowest = 1e-6;

}  // namespace

Vec3 safe_point(const Vec3& p0, const SegmentHit& hit, double epsilon)
{
    const Vec3 back = p0 - hit.point;
    const double height = dot(hit.normal, back);
    return height > epsilon ? hit.point + back * (epsilon / height) : p0;
}

Vec3 position_after_hit(ParticleRule rule, const Vec3& p0, const Vec3& p1, const SegmentHit& hit, double epsilon,
                        double friction)
{
    switch (rule) {
    case ParticleRule::thesis_a: {
        const Vec3 way = hit.point - p0;
        const double length = norm(way);
        // One that starts on the face has no way to be backed off along.
        return hit.point + (length > 0 ? way * (-epsilon / length) : hit.normal * epsilon);
    }
    case ParticleRule::thesis_b:
        return p1 + hit.normal * (epsilon - dot(hit.normal, p1 - hit.point));
    case ParticleRule::thesis_c:
        return hit.point + hit.normal * epsilon;
    case ParticleRule::coulomb:
        break;
    }
    const Vec3 safe = safe_point(p0, hit, epsilon), past = p1 - safe;
    const double height = dot(hit.normal, safe - hit.point), depth = std::abs(dot(hit.normal, past));
    // However often it comes to rest, it does not end on the plane itself.
    const double lift = std::max(0.0, kLowest * epsilon - height);
    return safe + hit.normal * lift + shortened(along_plane(past, hit.normal), friction * depth);
}

Vec3 velocity_after_hit(const Vec3& v, const Vec3& normal, double friction)
{
    const double approach = -dot(normal, v);
    if (!(approach > 0)) return v;
    return shortened(v + normal * approach, friction * approach);
}

ParticleMove respond(const ParticleStep& step, const StaticTriangles& obstacles, const ParticleResponseOptions& options,
                     SweepCounters& counters)
{
    if (!is_finite(step.p0) || !is_finite(step.p1) || !is_finite(step.v))
        return {.position = step.p1, .velocity = step.v, .finite = false};
    return Walk(step, options).go(obstacles, counters);
}

ParticleSweep& ParticleSweep::operator+=(const ParticleSweep& other)
{
    counters += other.counters;
    corrected += other.corrected, stayed += other.stayed, not_finite += other.not_finite;
    if (first_bad < 0) first_bad = other.first_bad;
    normal_loss += other.normal_loss, friction_loss += other.friction_loss;
    shift += other.shift, loss += other.loss;
    return *this;
}

ParticleSweep sweep_particles(const SweptParticles& particles, double h, const StaticTriangles& obstacles,
                              const ParticleResponseOptions& options)
{
    PLIANT_ASSERT(h > 0 && options.epsilon > 0 && options.sweeps > 0, "steps, epsilon and sweeps are above 0");
    PLIANT_ASSERT(options.friction.empty() || options.friction.size() == obstacles.object_count(),
                  "friction is given for every object or for none");
    const auto first = static_cast<std::size_t>(particles.first);
    return parallel_sum<ParticleSweep>(static_cast<std::size_t>(particles.count), kGrain,
                                       [&](std::size_t begin, std::size_t end) {
                                           ParticleSweep sum;
                                           for (std::size_t i = first + begin; i < first + end; ++i)
                                               sweep_particle(sum, particles, i, h, obstacles, options);
                                           return sum;
                                       });
}

}  // namespace pliant
