"""Every body's faces show: none is turned inward, coincides with another, or pierces one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from shapely.geometry import Polygon

from emlia3d.view.panda.meshes import triangles_of, vertices_of
from emlia3d.view.panda.models import vehicles
from emlia3d.view.panda.models.model_list import MAKERS, model
from emlia3d.view.panda.models.shape import CLOTH, Shape

Array = NDArray[np.float64]
Point = tuple[float, ...]
VEHICLES = [name for name, maker in MAKERS.items() if maker.__module__ == vehicles.__name__]
CLOSE_M = 0.003
"""Faces nearer to each other than this flicker from everyday distances."""
SLIVER = 0.006
"""A corner that stands out by less, as a share of the body's size, is a speck, not a part."""


def corners_of(shape: Shape) -> tuple[Array, Array]:
    """Return the triangles, (m, 3, 3) metres, and their unit normals, (m, 3)."""
    corners = np.array(shape.corners)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return corners, normals / np.linalg.norm(normals, axis=1, keepdims=True)


@cache
def made(name: str) -> tuple[Array, Array]:
    """Return the triangles and normals of a body's generator."""
    return corners_of(MAKERS[name]())


def key(point: Array) -> Point:
    """Return a point as a key, to a hundredth of a millimetre."""
    return tuple(np.round(point, 5).tolist())


def parts(corners: Array) -> list[list[int]]:
    """Return the rows of triangles that hang together by their corners, a list a part."""
    leader = list(range(len(corners)))

    def find(row: int) -> int:
        while leader[row] != row:
            row = leader[row]
        return row

    seen: dict[Point, int] = {}
    for row, triangle in enumerate(corners):
        for point in triangle:
            leader[find(row)] = find(seen.setdefault(key(point), row))
    groups = defaultdict(list)
    for row in range(len(corners)):
        groups[find(row)].append(row)
    return list(groups.values())


def is_open(triangles: Array) -> bool:
    """Return whether an edge has no face on its other side."""
    edges: dict[tuple[Point, Point], int] = defaultdict(int)
    for triangle in triangles:
        for here in range(3):
            edges[key(triangle[here]), key(triangle[(here + 1) % 3])] += 1
    return any(edges.get((end, start), 0) != count for (start, end), count in edges.items())


def way(origin: Array, ray: Array, corners: Array) -> float:
    """Return how far a ray goes before it meets a triangle, from either side; inf if none."""
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(ray, two)
    volume = (one * across).sum(axis=1)
    usable = np.abs(volume) > 1e-12
    inverse = np.where(usable, 1 / np.where(usable, volume, 1), 0)
    offset = origin - corners[:, 0]
    u = inverse * (offset * across).sum(axis=1)
    turned = np.cross(offset, one)
    v = inverse * (turned @ ray)
    distance = inverse * (turned * two).sum(axis=1)
    met = usable & (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 1e-5)
    return float(distance[met].min(initial=np.inf))


def hidden_plates(corners: Array, normals: Array) -> list[Point]:
    """Return where flat faces without a back lie that no eye before them sees."""
    found = []
    for part in parts(corners):
        normal = normals[part[0]]
        if not np.allclose(normals[part], normal, atol=1e-3) or not is_open(corners[part]):
            continue
        middle = corners[part].reshape(-1, 3).mean(axis=0)
        spots = [middle, *(middle + 0.7 * (corners[part].reshape(-1, 3) - middle))]
        if all(way(spot, normal, corners) < np.inf for spot in spots):
            found.append(key(middle))
    return found


def coinciding_faces(corners: Array, normals: Array, colours: Array) -> list[Point]:
    """Return where faces of different colours flicker, because they look the same way together."""
    found = []
    one, two = np.nonzero(np.triu(normals @ normals.T > 0.999, 1))
    apart = np.abs(np.einsum("ncx,nx->nc", corners[two] - corners[one, :1], normals[one]))
    near = (apart.max(axis=1) < CLOSE_M) & (colours[one] != colours[two]).any(axis=1)
    near &= (corners[one].min(axis=1) < corners[two].max(axis=1) + CLOSE_M).all(axis=1)
    near &= (corners[two].min(axis=1) < corners[one].max(axis=1) + CLOSE_M).all(axis=1)
    for here, there in zip(one[near].tolist(), two[near].tolist(), strict=True):
        along = corners[here, 1] - corners[here, 0]
        along /= np.linalg.norm(along)
        plane = np.stack([along, np.cross(normals[here], along)], axis=1)
        shared = Polygon(corners[here] @ plane).intersection(Polygon(corners[there] @ plane))
        if shared.area > 1e-4:
            spot = plane @ np.array(shared.centroid.coords[0])
            spot += normals[here] * (corners[here, 0] @ normals[here])
            if way(spot + normals[here] * 2 * CLOSE_M, normals[here], corners) == np.inf:
                found.append(key(spot))
    return found


def specks(corners: Array, normals: Array) -> list[Point]:
    """Return the corners of parts that alone pierce a face of a convex part, by a sliver."""
    size = np.ptp(corners.reshape(-1, 3), axis=0).max()
    at: dict[Point, list[int]] = defaultdict(list)
    for row, triangle in enumerate(corners):
        for point in triangle:
            at[key(point)].append(row)
    points = np.array(list(at))
    found = []
    for part in parts(corners):
        start, normal = corners[part][:, 0], normals[part]

        def beyond(points: Array, start: Array = start, normal: Array = normal) -> Array:
            return np.asarray(((points[:, None] - start) * normal).sum(axis=2))

        if len(part) < 8 or beyond(corners[part].reshape(-1, 3)).max() > SLIVER * size:
            continue
        own = {key(point) for point in corners[part].reshape(-1, 3)}
        distances = beyond(points)
        just_out = (distances.max(axis=1) > 1e-6) & (distances.max(axis=1) < SLIVER * size)
        for point, out in zip(points[just_out], distances[just_out], strict=True):
            face = normal @ normal[out.argmax()] > 0.98
            if key(point) in own or out[~face].max() > -0.001 * size:
                continue
            if all(goes_in(point, corners[row], beyond) for row in at[key(point)]):
                found.append(key(point))
    return found


def goes_in(point: Array, triangle: Array, beyond: Callable[[Array], Array]) -> bool:
    """Return whether an edge of a triangle leads from this corner into the part."""
    steps = np.linspace(0.05, 1, 20)[:, None]
    ends: Iterator[Array] = (end for end in triangle if key(end) != key(point))
    return any(beyond(point + steps * (end - point)).max(axis=1).min() < -1e-9 for end in ends)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_a_plate_on_a_body_looks_outward(name: str) -> None:
    assert hidden_plates(*made(name)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(MAKERS))
def test_no_two_faces_of_a_body_flicker_in_one_place(name: str) -> None:
    shape = MAKERS[name]()

    assert coinciding_faces(*corners_of(shape), np.array(shape.colours)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(VEHICLES))
def test_no_corner_of_a_part_of_a_vehicle_is_a_speck_on_another(name: str) -> None:
    assert specks(*made(name)) == []


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_the_file_of_a_body_holds_what_its_generator_makes(name: str) -> None:
    geom = model(name)
    drawn = vertices_of(geom)["place"][triangles_of(geom)].astype(float)

    corners, _ = made(name)

    np.testing.assert_allclose(drawn, corners, atol=1e-4)


def test_faces_that_are_wrong_are_found() -> None:
    red = (1.0, 0.0, 0.0, 0.0)
    box = Shape()
    box.loft([(0, 0, 0, 1, 1), (0, 0, 2, 1, 1)], CLOTH)
    plate = [(-0.3, 1.01, 0.5), (0.3, 1.01, 0.5), (0.3, 1.01, 0.9), (-0.3, 1.01, 0.9)]
    inward, on_it, pierced = (Shape(box.corners[:], box.colours[:]) for _ in range(3))
    inward.facet(*plate, colour=red)
    on_it.facet(*((x, 1.0, z) for x, _, z in plate[::-1]), colour=red)
    pierced.loft([(0, 0.5, 0.5, 0.1, 0.1), (0, 0.905, 1, 0.1, 0.1), (0, 0.5, 1.5, 0.1, 0.1)], red)

    assert hidden_plates(*corners_of(box)) == hidden_plates(*corners_of(on_it)) == []
    assert hidden_plates(*corners_of(inward)) == [(0.0, 1.01, 0.7)]
    assert coinciding_faces(*corners_of(box), np.array(box.colours)) == []
    assert coinciding_faces(*corners_of(on_it), np.array(on_it.colours)) != []
    assert specks(*corners_of(box)) == []
    assert specks(*corners_of(pierced)) != []
