#include "motion/kinematics.h"

#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

TEST_CASE("tracks are held, stepped, mixed and turned as glTF says", "[kinematics]")
{
    Track move{0, Path::Translation, Interpolation::Linear, {1, 2}, {0, 0, 0, 4, 8, 0}};
    CHECK(sample_track(move, 0).head<3>() == Vector3d(0, 0, 0));
    CHECK(sample_track(move, 1.25).head<3>() == Vector3d(1, 2, 0));
    CHECK(sample_track(move, 9).head<3>() == Vector3d(4, 8, 0));
    move.interpolation = Interpolation::Step;
    CHECK(sample_track(move, 1.99).head<3>() == Vector3d(0, 0, 0));
    CHECK(sample_track(move, 2).head<3>() == Vector3d(4, 8, 0));

    // Half a turn's quarter, given with opposite signs: the shortest way all the same.
    Track turn{0, Path::Rotation, Interpolation::Linear, {0, 1}, {0, 0, 0, 1, 0, -0.70710678f, 0, -0.70710678f}};
    CHECK(Eigen::Quaterniond(sample_track(turn, 0.5)).angularDistance(about({0, 1, 0}, 45)) < 1e-6);
}

TEST_CASE("a cubic spline track is the Hermite curve of its keys and tangents", "[kinematics]")
{
    // x(t) = t^3 on [0, 2]: tangents 0 and 12; in a quarter of the way 0.125.
    const Track cubic{0,
                      Path::Translation,
                      Interpolation::CubicSpline,
                      {0, 2},
                      {0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 8, 0, 0, 0, 0, 0}};
    for (const double t : {0.0, 0.5, 1.0, 1.7, 2.0}) CHECK(sample_track(cubic, t).x() == Approx(t * t * t));
}

TEST_CASE("skin in its bind pose is where it was", "[kinematics]")
{
    RigOptions options;
    options.bind_scale = 0.01;
    options.armature = about({1, 0, 0}, -90);
    options.hips_frame = about({1, 1, 0}, 33);
    const Rig rig = make_rig(options);
    const Character& c = rig.rigged.character;
    const ClipSampler stored(c);
    const auto skin = skin_matrices(c, inverse_binds(c), stored.world(0));
    const Eigen::Affine3d world_from_bind = stored.world(0)[0];
    for (int v = 0; v < c.mesh.vertex_count(); v += 7)
        CHECK((skin_vertex(c.mesh, skin, v) - world_from_bind * c.mesh.positions[static_cast<std::size_t>(v)]).norm() <
              1e-9);
}

TEST_CASE("a node given by a matrix is not animated", "[kinematics]")
{
    Character c;
    c.nodes.resize(1);
    c.node_order = {0};
    c.nodes[0].matrix = Eigen::Matrix4d::Identity();
    Clip clip;
    clip.tracks = {{0, Path::Translation, Interpolation::Step, {0}, {1, 2, 3}}};
    CHECK(ClipSampler(c, &clip).local(0, 0).translation() == Vector3d::Zero());
    c.nodes[0].matrix.reset();
    CHECK(ClipSampler(c, &clip).local(0, 0).translation() == Vector3d(1, 2, 3));
}

TEST_CASE("the orthogonal factor keeps handedness and forgets scale", "[kinematics]")
{
    const Eigen::Matrix3d turn = about({1, 2, 3}, 70).toRotationMatrix();
    const Eigen::Matrix3d mirror = Vector3d(-1, 1, 1).asDiagonal();
    CHECK((orthogonal_factor(0.01 * turn, turn) - turn).norm() < 1e-12);
    CHECK((orthogonal_factor(250 * mirror * turn, turn) - mirror * turn).norm() < 1e-12);
    const Eigen::Matrix3d sheared = turn * Vector3d(1, 2, 0.5).asDiagonal();
    CHECK((orthogonal_factor(sheared, turn) - turn).norm() < 1e-9); // U = R, P = the stretch
    CHECK(orthogonal_factor(Eigen::Matrix3d::Zero(), turn) == turn);
    CHECK(mean_scale(-8 * turn) == Approx(8));
}

TEST_CASE("a swing carries one direction to the other the shortest way", "[kinematics]")
{
    const Vector3d a = Vector3d(1, -2, 0.5).normalized();
    for (const Vector3d& b :
         {Vector3d(0, 1, 0), Vector3d(1, 0, 0), Vector3d(-0.3, 0.2, 0.9), Vector3d(-a), Vector3d(a)}) {
        const Eigen::Quaterniond q = swing(a, b.normalized());
        CHECK((q * a - b.normalized()).norm() < 1e-12);
        CHECK(q.angularDistance(Eigen::Quaterniond::Identity()) ==
              Approx(std::acos(std::clamp(a.dot(b.normalized()), -1.0, 1.0))).margin(1e-7));
    }
    CHECK((swing(Vector3d::UnitX(), -Vector3d::UnitX()) * Vector3d::UnitX() + Vector3d::UnitX()).norm() < 1e-12);
    // Nearly opposite is no less exact.
    const Vector3d nearly = (-a + Vector3d(1e-6, 0, 0)).normalized();
    CHECK((swing(a, nearly) * a - nearly).norm() < 1e-8);
}
