"""Corridors through combs and spirals as adverse as they come, against exact fractions.

Many teeth, down to a billionth of a thousandth of the body's length wide; edges along a side of the
corridor, all but parallel to one another or all but perpendicular to the axis; corners shared with
observer and observed; teeth that mesh with the observer's own; all of it turned, and next to a
corner of the field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from emlia3d.geometry import Bodies, corridor_fractions
from tests.geometry.exact_corridor import exact, exact_fraction

Ring = NDArray[np.float64]
Rng = np.random.Generator
Place = tuple[Rng, float, float]

A_FEW, MANY = 8, 700
MOVES = 24
# Of the observer whom others mesh with.
TEETH = 5


def comb(rng: Rng, length: float, deep: float) -> Ring:
    """A spine eastward from (0, 0) with teeth northward, some thin and some with thin gaps."""
    teeth = int(rng.integers(2, 14))
    pitch, spine = length / teeth, deep * rng.uniform(0.05, 0.4)
    thin = min(length * 10 ** rng.uniform(-12, -1), pitch / 2)
    lean = rng.choice([0, length * 10 ** rng.uniform(-12, -2)])
    corners = [(0.0, 0.0), (length, 0.0)]
    for tooth in range(teeth)[::-1]:
        wide = thin if rng.random() < 0.7 else pitch - thin
        west = tooth * pitch + rng.uniform(0, pitch - wide)
        tip = rng.choice([deep, deep * rng.uniform(0.6, 1)])
        aside = lean * rng.choice([-1, 0, 1])
        corners += [
            (west + wide, spine), (west + wide + aside, tip), (west + aside, tip), (west, spine)
        ]  # fmt: skip
    return np.array([*corners, (0.0, spine)])


def across(at: Place) -> Ring:
    """With teeth across the corridor, that begin on its side, outside or in it."""
    rng, half, gap = at
    south = rng.choice([-half, -half - rng.uniform(0, 4), rng.uniform(-half, half)])
    start = half + rng.uniform(0, 0.1) * gap
    return comb(rng, gap * rng.uniform(0.3, 0.9), half * rng.uniform(0.5, 3)) + np.array(
        [start, south]
    )


def along(at: Place) -> Ring:
    """With teeth along the corridor."""
    rng, half, gap = at
    ring = comb(rng, half * rng.uniform(0.5, 3), gap * rng.uniform(0.3, 0.9))[::-1, ::-1]
    south = rng.choice([-half, -1.5 * half, rng.uniform(-half, half)])
    return ring + np.array([half + rng.uniform(0, 0.1) * gap, south])


def spiral(at: Place) -> Ring:
    rng, half, gap = at
    pitch = rng.uniform(0.5, 3)
    path = [np.zeros(2)]
    for arm in range(int(rng.integers(4, 14))):
        step = pitch * (arm // 2 + 1) * (-1) ** (arm // 2)
        path.append(path[-1] + ([0, step] if arm % 2 else [step, 0]))
    thin = pitch * min(10 ** rng.uniform(-9, 0), 0.4)
    shape = shapely.LineString(path).buffer(thin, cap_style="flat", join_style="mitre")
    middle = [half + gap / 2 + rng.uniform(-5, 5), rng.uniform(-half, half)]
    return shapely.get_coordinates(shape.exterior)[:-1] + middle


def beside(at: Place) -> Ring:
    """With its spine along the corridor's side, from a corner of the observer to the observed."""
    rng, half, gap = at
    ring = comb(rng, gap, half * rng.uniform(0.3, 2.5))
    ring[:2, 1] = 0
    return np.column_stack([half + ring[:, 0], half - ring[:, 1]])


def collinear(at: Place) -> Ring:
    """With the tips of its teeth on the corridor's side."""
    rng, half, gap = at
    ring = comb(rng, 0.9 * gap, half)
    ring[ring[:, 1] == half, 1] = half
    ring[ring[:, 1] == 0, 1] = rng.choice([0, -half, -half / 2])
    return ring + np.array([half + 1, 0])


def meshed(at: Place) -> Ring:
    """With teeth between the observer's, from behind it."""
    rng, half, _ = at
    pitch = half / TEETH
    wide = pitch * min(10 ** rng.uniform(-11, 0), 0.9)
    slant = rng.choice([0, 10 ** rng.uniform(-12, -1)])
    corners = [(-half - 8, -half), (-half - 8, half)]
    for tooth in range(TEETH - 1)[::-1]:
        south = -half + (2 * tooth + 1) * pitch + (pitch - wide) * rng.uniform(0.05, 0.95)
        corners += [
            (-half - 4, south + wide), (half - 2 + slant, south + wide),
            (half - 2, south), (-half - 4, south),
        ]  # fmt: skip
    return np.array([*corners, (-half - 4, -half)])


KINDS: list[Callable[[Place], Ring]] = [across, along, spiral, beside, collinear, meshed]


def observer(half: float, kind: Callable[[Place], Ring]) -> Ring:
    """A square, or a comb with its teeth toward those that mesh with them."""
    if kind is not meshed:
        return half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]])
    pitch = half / TEETH
    corners = [(half + 6, -half)]
    for tooth in range(TEETH):
        south = -half + 2 * tooth * pitch
        corners += [(-half, south), (-half, south + pitch)]
        if tooth < TEETH - 1:
            corners += [(half, south + pitch), (half, south + 2 * pitch)]
    return np.array([*corners, (half + 6, half - pitch)])


def scenes(kind: Callable[[Place], Ring], seed: int) -> Iterator[list[Ring]]:
    """Observer, observed and what is between them."""
    rng = np.random.default_rng(seed)
    while True:
        half, far = rng.choice([5.0, 8.0, 10.0]), rng.uniform(30, 80)
        seen = half * rng.choice([1, 1, 0.5])
        rings = [
            observer(half, kind),
            seen * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]) + [far, 0],
            kind((rng, half, far - half - seen)),
        ]
        turn = rng.choice([0, 0, rng.uniform(0, 7), 10 ** rng.uniform(-12, -3), np.pi / 4])
        turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corner = [[0, 0], [0.3, 0.001], [32600, -32100]][rng.integers(3)]
        rings = [ring @ turned + corner for ring in rings]
        shapes = [shapely.Polygon(ring) for ring in rings]
        if shapely.is_valid(shapes).all() and shapes[0].distance(shapes[1]) > 1e-3:
            yield rings


def fraction(rings: list[Ring]) -> float:
    shapes = [shapely.Polygon(ring) for ring in rings]
    bodies = Bodies(shapes, np.zeros(3), np.ones(3), np.ones(3, dtype=bool))
    return float(corridor_fractions(bodies, [0], [1], [2])[2].sum())


def true_fraction(rings: list[Ring]) -> float:
    return float(exact_fraction(*map(exact, rings)))


def moved(rng: Rng, rings: list[Ring]) -> list[Ring]:
    """Every number one double up or down."""
    return [np.nextafter(ring, rng.choice([-np.inf, np.inf], ring.shape)) for ring in rings]


def hold(kind: Callable[[Place], Ring], count: int) -> None:
    """To a billionth, or as near as the question is sharp.

    Where an edge is all but perpendicular to the axis, or the observed hardly has a width, the
    exact answer itself changes more than that when every number goes to the double next to it.
    """
    moves, covered = np.random.default_rng(1), 0
    for _, rings in zip(range(count), scenes(kind, seed=5), strict=False):
        found, true = fraction(rings), true_fraction(rings)
        covered += 0 < true < 1
        if abs(found - true) > 1e-9:
            others = [true_fraction(moved(moves, rings)) for _ in range(MOVES)]
            assert min(others) - 1e-9 <= found <= max(others) + 1e-9, rings
    assert covered > count / 4


@pytest.mark.parametrize("kind", KINDS)
def test_the_fractions_of_combs_are_exact_as_far_as_the_question_is_sharp(kind) -> None:
    hold(kind, A_FEW)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_fractions_of_thousands_of_combs_are_exact_as_far_as_the_question_is_sharp(
    kind,
) -> None:
    hold(kind, MANY)


@pytest.mark.parametrize("place", [10.3, 30.1, 47.7])
@pytest.mark.parametrize("corner", [0.0, 0.3, 1000.0])
def test_a_tooth_counts_however_thin_unless_rounding_could_have_made_it(place, corner) -> None:
    square = np.array([[-5, -5], [5, -5], [5, 5], [-5, 5.0]]) + corner
    bound = 2.0**-46 * 65
    for wide in np.spacing(place + corner) * 2.0 ** np.arange(12):
        west = place + corner
        tooth = [(west + wide, corner + 9), (west, corner + 9)]
        base = [(west, corner - 8), (corner + 10, corner - 8), (corner + 10, corner - 12)]
        spine = [(corner + 50, corner - 12), (corner + 50, corner - 8), (west + wide, corner - 8)]
        rings = [square, square + np.array([60, 0]), np.array([*tooth, *base, *spine])]
        assert true_fraction(rings) == 1
        if not bound / 2 < wide < 2 * bound:
            assert fraction(rings) == (wide > bound)
