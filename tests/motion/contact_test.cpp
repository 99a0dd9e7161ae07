#include <cmath>

#include <tailfix/motion/contact.h>

#include "support/catch.h"

using namespace tailfix;
using Eigen::Vector3d;

namespace {

LinkSpan span(const Vector3d& head, const Vector3d& direction, double length = 0.5)
{
    return {head, direction.normalized(), Vector3d(0, -0.3, -1).normalized(), length, 0};
}

} // namespace

TEST_CASE("a link that would sink touches the floor exactly and keeps its length", "[contact]")
{
    Obstacles ground;
    ground.floor = 0.025;
    for (const double height : {0.025, 0.1, 0.3, 0.45}) {
        const LinkSpan link = span({3, height, -2}, {0.2, -1, -0.4});
        const Contact contact = keep_clear(link, ground);
        CHECK(contact.floor);
        CHECK(contact.direction.norm() == Approx(1).margin(1e-14));
        CHECK(height + link.length * contact.direction.y() == Approx(0.025).margin(1e-14));
        // It falls to the side it leaned to.
        CHECK(contact.direction.x() / contact.direction.z() == Approx(0.2 / -0.4));
    }
}

TEST_CASE("a link above the floor is left alone", "[contact]")
{
    Obstacles ground;
    ground.floor = 0.025;
    const LinkSpan link = span({0, 0.6, 0}, {0, -1, 0});
    const Contact contact = keep_clear(link, ground);
    CHECK_FALSE(contact.floor);
    CHECK(contact.direction == link.direction);
}

TEST_CASE("a link straight down on the floor turns to its rest direction", "[contact]")
{
    Obstacles ground;
    ground.floor = 0;
    const Contact contact = keep_clear(span({0, 0.3, 0}, {0, -1, 0}), ground);
    CHECK(contact.direction.x() == Approx(0).margin(1e-14));
    CHECK(contact.direction.z() == Approx(-0.8));
}

TEST_CASE("a link whose head is deep under the floor points straight up", "[contact]")
{
    Obstacles ground;
    ground.floor = 0;
    const Contact contact = keep_clear(span({0, -2, 0}, {0, -1, -1}), ground);
    CHECK((contact.direction - Vector3d::UnitY()).norm() < 1e-12);
}

TEST_CASE("no tip passes the front plane", "[contact]")
{
    Obstacles plane;
    plane.front_plane = true;
    plane.root = {0, 1, -0.1};
    plane.forward = Vector3d(0.3, 0.2, 1).normalized();
    const LinkSpan link = span(plane.root, {0.2, -1, 0.7});
    const Contact contact = keep_clear(link, plane);
    CHECK(contact.front);
    CHECK(contact.direction.dot(plane.forward) == Approx(0).margin(1e-14));
    CHECK(contact.direction.norm() == Approx(1));

    LinkSpan curled = link; // rests in front: it may lie there, and no farther
    curled.front = 0.2;
    CHECK(curled.length * keep_clear(curled, plane).direction.dot(plane.forward) == Approx(0.2));
    curled.front = 0.6;
    CHECK_FALSE(keep_clear(curled, plane).front);
}

TEST_CASE("on the floor, a link stays behind the front plane as well", "[contact]")
{
    Obstacles both;
    both.floor = 0.025;
    both.front_plane = true;
    both.root = {0, 0.2, 0};
    both.forward = Vector3d(0, -0.2, 1).normalized();
    for (const double x : {-0.5, 0.0, 0.5}) {
        LinkSpan link = span({0.05, 0.15, -0.05}, {x, -1, 1.5});
        const Contact contact = keep_clear(link, both);
        const Vector3d tip = link.head + link.length * contact.direction;
        CHECK(tip.y() == Approx(0.025).margin(1e-13));
        CHECK((tip - both.root).dot(both.forward) < 1e-12);
        CHECK(contact.direction.norm() == Approx(1));
        if (x != 0) CHECK(contact.direction.x() * x > 0);
    }
}

TEST_CASE("contact mirrors with what it is given", "[contact]")
{
    Obstacles both;
    both.floor = 0;
    both.front_plane = true;
    both.root = {0.1, 0.2, 0};
    both.forward = Vector3d(0.2, -0.1, 1).normalized();
    LinkSpan link = span({0.1, 0.1, 0.05}, {0.4, -1, 0.8});
    const auto flip = [](Vector3d v) { return Vector3d(-v.x(), v.y(), v.z()); };
    Obstacles mirrored = both;
    mirrored.root = flip(both.root);
    mirrored.forward = flip(both.forward);
    LinkSpan other = link;
    other.head = flip(link.head);
    other.direction = flip(link.direction);
    other.rest = flip(link.rest);
    CHECK((flip(keep_clear(link, both).direction) - keep_clear(other, mirrored).direction).norm() < 1e-14);
}
