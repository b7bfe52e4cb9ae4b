"""Distances from the edges of a field."""

from __future__ import annotations

from emlia3d.battle.setup import Edge

Place = tuple[float, float]


def distance_from(edge: Edge, place: Place, size: tuple[float, float]) -> float:
    """Return how far a place on a field lies from one of its edges, GSU; below 0 beyond it.

    size : of the field, from west to east and from south to north
    """
    (x, y), (east, north) = place, size
    return {"south": y, "north": north - y, "west": x, "east": east - x}[edge]
