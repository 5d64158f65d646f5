// SPDX-License-Identifier: MIT

// A sheet on a sphere in Bullet 3: btSoftBody on the same mesh, springs along edges and to the second neighbours, as stiff as
// its positions solver makes them. Single precision, one thread, as Debian builds it.

#include <cmath>
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

#include "../bench.h"
#include "../bench_peer.h"

namespace pliant::cli {

namespace {

btVector3 bullet(const Vec3& v)
{
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

/// World, sphere and sheet; Bullet keeps pointers, so members outlive what uses them.
class BulletDrape {
public:
    explicit BulletDrape(const PeerDrape& drape)
        : dispatcher_(&configuration_)
        , world_(&dispatcher_, &broad_phase_, &solver_, &configuration_)
        , sphere_(static_cast<btScalar>(drape.radius))
        , ball_(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &sphere_))
    {
        world_.setGravity(bullet(drape.gravity));
        prepare_distances(drape);
        ball_.setWorldTransform(btTransform(btQuaternion::getIdentity(), bullet(drape.centre)));
        ball_.setFriction(1);
        world_.addRigidBody(&ball_);
        sheet_ = made_sheet(drape);
        world_.addSoftBody(sheet_.get());
    }
    ~BulletDrape()
    {
        world_.removeSoftBody(sheet_.get());
        world_.removeRigidBody(&ball_);
    }
    BulletDrape(const BulletDrape&) = delete;
    BulletDrape& operator=(const BulletDrape&) = delete;

    void step(double frame, int steps)
    {
        const auto h = static_cast<btScalar>(frame / steps);
        for (int s = 0; s < steps; ++s) {
            world_.stepSimulation(h, 0);
            world_.getWorldInfo().m_sparsesdf.GarbageCollect();
        }
    }

    void positions(std::vector<Vec3>& x) const
    {
        x.clear();
        for (int i = 0; i < sheet_->m_nodes.size(); ++i) {
            const btVector3& p = sheet_->m_nodes[i].m_x;
            x.push_back({p.x(), p.y(), p.z()});
        }
    }

private:
    // Soft bodies meet others through a grid of distances, whose cells are 25 cm unless one says so after Initialize().
    void prepare_distances(const PeerDrape& drape)
    {
        btSoftBodyWorldInfo& info = world_.getWorldInfo();
        info.m_gravity = bullet(drape.gravity);
        info.air_density = 0;
        info.m_dispatcher = &dispatcher_, info.m_broadphase = &broad_phase_;
        info.m_sparsesdf.Initialize();
        if (drape.distance_cell > 0) info.m_sparsesdf.setDefaultVoxelsz(static_cast<btScalar>(drape.distance_cell));
        info.m_sparsesdf.Reset();
    }

    std::unique_ptr<btSoftBody> made_sheet(const PeerDrape& drape)
    {
        std::vector<btScalar> x;
        for (const Vec3& p : drape.sheet.vertices)
            for (int k = 0; k < 3; ++k) x.push_back(static_cast<btScalar>(p[k]));
        std::vector<int> corners;
        for (const Triangle& t : drape.sheet.triangles) corners.insert(corners.end(), t.begin(), t.end());
        std::unique_ptr<btSoftBody> sheet(btSoftBodyHelpers::CreateFromTriMesh(
            world_.getWorldInfo(), x.data(), corners.data(), static_cast<int>(drape.sheet.triangles.size()), false));
        sheet->m_materials[0]->m_kLST = 1;
        sheet->generateBendingConstraints(2, folds(*sheet));
        sheet->m_cfg.piterations = drape.iterations;
        sheet->m_cfg.kDF = static_cast<btScalar>(drape.friction);
        sheet->m_cfg.kCHR = 1;
        sheet->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
        sheet->getCollisionShape()->setMargin(static_cast<btScalar>(0.5 * drape.thickness));
        sheet->setTotalMass(static_cast<btScalar>(drape.mass), true);
        return sheet;
    }

    // Cloth hardly resists bending.
    static btSoftBody::Material* folds(btSoftBody& sheet)
    {
        btSoftBody::Material* material = sheet.appendMaterial();
        material->m_kLST = btScalar(0.01);
        return material;
    }

    btSoftBodyRigidBodyCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broad_phase_;
    btSequentialImpulseConstraintSolver solver_;
    btSoftRigidDynamicsWorld world_;
    btSphereShape sphere_;
    btRigidBody ball_;
    std::unique_ptr<btSoftBody> sheet_;
};

}  // namespace

std::optional<FrameTimes> drape_in_bullet(const PeerDrape& drape,
                                          const std::function<void(std::span<const Vec3>)>& after)
{
    BulletDrape world(drape);
    FrameTimes times;
    std::vector<Vec3> x;
    const auto frames = std::llround(drape.duration * drape.frame_rate);
    for (auto frame = 0LL; frame < frames; ++frame) {
        times.seconds.push_back(seconds_of([&] { world.step(1 / drape.frame_rate, drape.steps_per_frame); }));
        world.positions(x);
        after(x);
    }
    return times;
}

}  // namespace pliant::cli
