"""The fire algorithm of the catalogue, word by word, for one pair of models at a time.

It uses shapely and plain numbers, and shares no code with the lines that play judges together.
"""

from __future__ import annotations

from math import hypot

from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from emlia3d.battle.moment import Moment
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.terrain import terrain_of

EPS = 1e-6
TOUCH = 0.05


class Oracle:
    """Fire between the models of a battle, where they stand."""

    def __init__(self, moment: Moment) -> None:
        self.models, self.terrain = models_of(moment), terrain_of(moment)
        self.hills = list(
            zip(self.terrain.contours.shapes, self.terrain.levels.tolist(), strict=True)
        )

    def level(self, spot: Point) -> int:
        return sum(hill.contains(spot) for hill, _ in self.hills)

    def stream(self, spot: Point) -> int:
        for number, water in enumerate(self.terrain.waters):
            if water.contains(spot):
                return number
        return -1

    def fire(  # noqa: PLR0911, PLR0912, PLR0915  one procedure, as in the catalogue
        self, one: int, other: int
    ) -> tuple[float, int]:
        """Return the multiplier and the modifier of fire, range apart; (0, 0) for none."""
        models, pieces = self.models, self.terrain.pieces
        start, end = Point(models.spot(one)), Point(models.spot(other))
        near, far = float(models.radius[one]), float(models.radius[other])
        length, line = start.distance(end), LineString([start, end])
        a, t = self.level(start), self.level(end)
        parted = any(
            line.intersection(p.outline).length > EPS for p in pieces if p.kind in {"tree", "bush"}
        )
        if length - near - far <= TOUCH + EPS and not parted:
            return 1.0, -1 if t > a else 0

        def over(top: int, first: float, last: float) -> bool:
            if max(a, t) < top:
                return False
            if min(a, t) >= top:
                return True
            if a > t:
                return length - last - far >= (last - near) / 2 - EPS
            return a < t and length - first - far >= (first - near) / 2 - EPS

        def span(shape: BaseGeometry) -> tuple[float, float] | None:
            part = line.intersection(shape)
            if part.length <= EPS:
                return None
            ends = [hypot(x - start.x, y - start.y) for g in parts_of(part) for x, y in g.coords]
            return min(ends), max(ends)

        def edges(shape: BaseGeometry) -> list[float]:
            crossing = line.intersection(shape.boundary)
            return sorted(
                hypot(x - start.x, y - start.y) for g in parts_of(crossing) for x, y in g.coords
            )

        def at_edge(shape: BaseGeometry, spot: Point, radius: float) -> bool:
            return shape.boundary.distance(spot) - radius <= TOUCH + EPS

        # 1 contours
        edge = False
        allowed = a == t
        for hill, high in self.hills:
            in_a, in_t = hill.contains(start), hill.contains(end)
            crossed = span(hill)
            if crossed and high > max(a, t):
                return 0.0, 0
            if in_a != in_t:
                cuts = edges(hill)
                if high == max(a, t) and a != t:
                    upper, lower = (start, near), (end, far)
                    if a < t:
                        upper, lower = lower, upper
                    to_cut = cuts[0] - near if a > t else length - cuts[-1] - far
                    allowed |= at_edge(hill, *upper) and to_cut <= 0.5 + EPS
                    allowed |= abs(a - t) == 1 and at_edge(hill, *lower)
                if min(a, t) < high < max(a, t) and not over(high, cuts[0], cuts[-1]):
                    return 0.0, 0
                edge |= high > min(a, t) and at_edge(hill, end, far)
            elif not in_a and crossed and not over(high, *crossed):
                return 0.0, 0
        if not allowed:
            return 0.0, 0

        # 2 pieces and models crossed by the line
        factor = 1.0
        for piece in pieces:
            crossed = span(piece.outline)
            if not crossed or over(piece.top, *crossed):
                continue
            touch_a = piece.outline.distance(start) - near <= TOUCH + EPS
            touch_t = piece.outline.distance(end) - far <= TOUCH + EPS
            if piece.kind == "rock":
                return 0.0, 0
            if piece.kind == "wall":
                factor *= 0.5 if touch_t and not touch_a else 1.0
            else:
                factor *= 1.0 if touch_a else 0.5
        solids: list[tuple[BaseGeometry, float, int, bool]] = [
            (p.outline, 0.0, p.top, p.outline.distance(start) - near <= TOUCH + EPS) for p in pieces
        ]
        for row in models.of_side(int(models.side[one])):
            if row in {one, other}:
                continue
            spot, radius = Point(models.spot(row)), float(models.radius[row])
            top = self.level(spot) + 1
            plunged = near >= 0.75 - EPS and near - radius >= 0.25 - EPS
            touched = start.distance(spot) - near - radius <= TOUCH + EPS
            crossed = span(spot.buffer(radius, quad_segs=256))
            if crossed and not (over(top, *crossed) or plunged or touched):
                return 0.0, 0
            solids.append((spot, radius, top, touched or plunged))

        # 3 gaps
        for number, (shape, r, top, free) in enumerate(solids):
            for other_shape, s, other_top, other_free in solids[:number]:
                gap = shape.distance(other_shape) - r - s
                if free or other_free or not EPS < gap < 1 - EPS:
                    continue
                at = crossing(line, shape, other_shape, r, s)
                if at is not None and not (over(top, at, at) or over(other_top, at, at)):
                    return 0.0, 0

        # 4 streams, 5 modifiers
        in_a, in_t = self.stream(start), self.stream(end)
        factor *= 2.0 if in_t >= 0 > in_a else 1.0
        factor *= 0.5 if in_a >= 0 and in_a != in_t else 1.0
        return min(max(factor, 0.25), 2.0), -1 if a != t and edge else 0


def parts_of(shape: BaseGeometry) -> list[BaseGeometry]:
    """Return the parts of a shape; none of an empty one."""
    parts: list[BaseGeometry] = list(getattr(shape, "geoms", [] if shape.is_empty else [shape]))
    return parts


def crossing(
    line: LineString, one: BaseGeometry, other: BaseGeometry, r: float, s: float
) -> float | None:
    """Return where a line crosses the shortest line between two bodies; None if it does not."""

    p, q = nearest_points(one, other)
    long = p.distance(q)
    across = LineString([
        (p.x + (q.x - p.x) * r / long, p.y + (q.y - p.y) * r / long),
        (q.x + (p.x - q.x) * s / long, q.y + (p.y - q.y) * s / long),
    ])  # fmt: skip
    if not line.crosses(across):
        return None
    met = line.intersection(across)
    return float(Point(line.coords[0]).distance(met))
