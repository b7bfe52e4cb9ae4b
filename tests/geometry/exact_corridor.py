"""How much of a corridor an outline covers by the definition, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np

Point = tuple[Fraction, Fraction]
Ring = list[Point]
Edge = tuple[Fraction, Fraction, Fraction, Fraction]


def centroid(ring: Ring) -> Point:
    area = x = y = Fraction(0)
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        twice = ax * by - bx * ay
        area, x, y = area + twice, x + twice * (ax + bx), y + twice * (ay + by)
    return x / (3 * area), y / (3 * area)


def hull(points: Ring) -> Ring:
    """Convex, by monotone chain."""
    chains: list[Ring] = []
    for ordered in (sorted(points), sorted(points)[::-1]):
        chain: Ring = []
        for x, y in ordered:
            while len(chain) > 1 and (
                (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1])
                <= (chain[-1][1] - chain[-2][1]) * (x - chain[-2][0])
            ):
                chain.pop()
            chain.append((x, y))
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def edges(ring: Ring) -> list[Edge]:
    """From the lesser s to the greater, without those perpendicular to the axis."""
    both = (sorted(pair) for pair in pairwise([*ring, ring[0]]))
    return [(*start, *stop) for start, stop in both if start[0] < stop[0]]


def place(edge: Edge, s: Fraction) -> Fraction:
    s0, t0, s1, t1 = edge
    return t0 + (t1 - t0) * (s - s0) / (s1 - s0)


def crossing(one: Edge, other: Edge) -> list[Fraction]:
    """The s at which two edges cross."""
    start, stop = max(one[0], other[0]), min(one[2], other[2])
    if start >= stop:
        return []
    before, after = (place(one, s) - place(other, s) for s in (start, stop))
    return [start + (stop - start) * before / (before - after)] if before * after < 0 else []


def exact_fraction(a: Ring, b: Ring, entity: Ring) -> Fraction:
    """The greatest share of the corridor's width, at the marks between which all is straight."""
    (px, py), (qx, qy) = centroid(a), centroid(b)
    dx, dy = qx - px, qy - py
    a, b, entity = (
        [(x * dx + y * dy, y * dx - x * dy) for x, y in ring] for ring in (a, b, entity)
    )
    shapes = [edges(ring) for ring in (entity, hull(a + b), a, b)]
    marks = {s for shape in shapes for edge in shape for s in edge[::2]}
    for edge in shapes[0]:
        marks.update(s for shape in shapes[1:] for other in shape for s in crossing(edge, other))
    found = Fraction(0)
    for left, right in pairwise(sorted(marks)):
        middle = (left + right) / 2
        cuts = sorted(
            (place(edge, middle), shape, place(edge, left), place(edge, right))
            for shape, every in enumerate(shapes)
            for edge in every
            if edge[0] < middle < edge[2]
        )
        inside = [False] * 4
        extent, width = [Fraction(0)] * 2, [Fraction(0)] * 2
        for (_, shape, *here), (_, _, *there) in pairwise(cuts):
            inside[shape] = not inside[shape]
            step = [after - before for before, after in zip(here, there, strict=True)]
            if inside[1]:
                width = [sum(both) for both in zip(width, step, strict=True)]
            if inside == [True, True, False, False]:
                extent = [sum(both) for both in zip(extent, step, strict=True)]
        found = max(found, *(e / w for e, w in zip(extent, width, strict=True) if w), 0)
    return found


def exact(corners) -> Ring:
    return [(Fraction(x), Fraction(y)) for x, y in np.asarray(corners).tolist()]
