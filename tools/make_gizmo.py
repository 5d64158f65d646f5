#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes gizmo.mesh and gizmo_floor.mesh, the four-legged doll of seed 002 and its floor, in Medit's format.

A ball of 4 x 4 x 4 cells with a leg of 2 x 2 x 4 cells on each of its four sides, legs bent down; every cell cut in
five tetrahedra by parity, so that the mesh is its own image under quarter turns about y and under mirroring.
"""
import math
import pathlib

RADIUS, LEG_RADIUS, REACH, LAYERS = 0.04, 0.02, 0.04, 4
ROUND = 0.6  # 0 keeps cubes, 1 makes spheres; in between cells stay well shaped


def on_ball(x, y, z):
    """The cube [-1, 1]^3 onto a rounded one."""
    largest, length = max(abs(x), abs(y), abs(z)), math.sqrt(x * x + y * y + z * z)
    return (0, 0, 0) if length == 0 else tuple(c * (largest / length) ** ROUND for c in (x, y, z))


def on_disc(a, b):
    largest, length = max(abs(a), abs(b)), math.hypot(a, b)
    return (0, 0) if length == 0 else (a * (largest / length) ** ROUND, b * (largest / length) ** ROUND)


def place(i, j, k):
    """Lattice point in units of cells from the middle of the ball, to metres."""
    if max(abs(i), abs(k)) <= 2:
        return tuple(RADIUS * c for c in on_ball(i / 2, j / 2, k / 2))
    along, across = (i, k) if abs(i) > 2 else (k, i)
    sign = 1 if along > 0 else -1
    s = (abs(along) - 2) / LAYERS  # 0 at the ball, 1 at the foot
    root = place(2, j, across)  # the point of the ball that this line of vertices starts from, for a leg along +x
    a, b = on_disc(j, across)  # a leg starts as the patch of the ball and becomes a round foot that stands on the floor
    foot = (RADIUS + REACH + LEG_RADIUS * a, -1.7 * RADIUS, LEG_RADIUS * b)
    elbow = (RADIUS + 0.9 * REACH, -0.1 * RADIUS + LEG_RADIUS * a, LEG_RADIUS * b)
    x, y, z = ((1 - s) ** 2 * r + 2 * s * (1 - s) * e + s * s * f for r, e, f in zip(root, elbow, foot))
    # The other legs are mirror images, in the lattice and in space alike.
    return {(True, 1): (x, y, z), (True, -1): (-x, y, z), (False, 1): (z, y, x), (False, -1): (z, y, -x)}[
        (abs(i) > 2, sign)]


def cells():
    inside, out, middle = range(-2, 2), range(2, 2 + LAYERS), range(-1, 1)
    yield from ((i, j, k) for i in inside for j in inside for k in inside)
    for n in out:
        for j in middle:
            for c in middle:
                yield from ((n, j, c), (-n - 1, j, c), (c, j, n), (c, j, -n - 1))


def volume(p, q, r, s):
    a, b, c = ([v - u for u, v in zip(p, x)] for x in (q, r, s))
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
            a[2] * (b[0] * c[1] - b[1] * c[0])) / 6


def write(path, points, tets):
    lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(points))]
    lines += ["%.9g %.9g %.9g 0" % tuple(p) for p in points]
    lines += ["Tetrahedra", str(len(tets))] + ["%d %d %d %d 0" % tuple(n + 1 for n in t) for t in tets] + ["End"]
    path.write_text("\n".join(lines) + "\n")


def main():
    number, lattice, points, tets = {}, [], [], []
    for i, j, k in cells():
        corner = []
        for n in range(8):
            at = (i + (n & 1), j + (n >> 1 & 1), k + (n >> 2))
            if at not in number:
                number[at] = len(points)
                lattice.append(at)
                points.append(place(*at))
            corner.append(number[at])
        if (i + j + k) % 2:  # the mirrored cut: exchange the corners along x
            corner = [corner[n ^ 1] for n in range(8)]
        for t in [(0, 1, 2, 4), (3, 1, 2, 7), (5, 1, 4, 7), (6, 2, 4, 7), (1, 2, 4, 7)]:
            tet = [corner[n] for n in t]
            if volume(*(lattice[n] for n in tet)) < 0:
                tet[0], tet[1] = tet[1], tet[0]
            tets.append(tet)
    # Oriented by the lattice, so a negative volume means that the shape is folded.
    worst = min(volume(*(points[n] for n in t)) for t in tets)
    print(len(points), "vertices", len(tets), "tetrahedra, smallest volume", worst)
    here = pathlib.Path(__file__).parent.parent / "scenes" / "meshes"
    write(here / "gizmo.mesh", points, tets)
    wide = 0.6
    floor = [(wide * math.sin(a), 0, wide * math.cos(a)) for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)] + [(0, -wide, 0)]
    tet = [0, 1, 2, 3]
    if volume(*floor) < 0:
        tet = [1, 0, 2, 3]
    write(here / "gizmo_floor.mesh", floor, [tet])


main()
