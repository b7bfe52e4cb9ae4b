"""Which of two units a body stands before, on the way from the taller to the shorter."""

from __future__ import annotations

import numpy as np
import pytest
from shapely import Polygon, affinity, box

from emlia3d.rules.emlia.play.sight.exact_recheck import is_behind

TALLER, SHORTER = box(0, 0, 10, 10), box(0, 40, 10, 50)


@pytest.mark.parametrize("degrees", [0, 90, 137])
@pytest.mark.parametrize(
    ("body", "is_so"),
    [
        (box(0, 20, 10, 22), True),
        (box(0, 39, 10, 41), True),
        (box(0, 40, 10, 41), False),
        (box(0, 41, 10, 43), False),
        (box(0, 52, 10, 54), False),
        # Beside the corridor it begins before the shorter, within it only behind its front.
        (box(12, 20, 14, 60), False),
        (box(0, 5, 10, 20), True),
    ],
    ids=["between", "just before", "at its front", "in it", "beyond", "beside", "at the taller"],
)
def test_a_body_is_before_the_shorter_if_the_corridor_comes_to_it_first(
    body: Polygon, is_so: bool, degrees: float
) -> None:
    shorter, taller, there = (
        np.array([affinity.rotate(shape, degrees, origin=(5, 25))], dtype=object)
        for shape in (SHORTER, TALLER, body)
    )

    # A turned outline is rounded: whatever begins just at the front is left out.
    if degrees == 0 or body != box(0, 40, 10, 41):
        assert is_behind(shorter, taller, there).tolist() == [is_so]


def test_several_are_told_apart_and_none_of_none() -> None:
    shorter = np.array([SHORTER, TALLER], dtype=object)
    taller = np.array([TALLER, SHORTER], dtype=object)
    bodies = np.array([box(0, 48, 10, 52), box(0, 20, 10, 22)], dtype=object)

    assert is_behind(shorter, taller, bodies).tolist() == [False, True]
    assert is_behind(shorter[:0], taller[:0], bodies[:0]).tolist() == []


def test_what_reaches_into_the_corridor_before_the_shorter_is_before_it() -> None:
    """It begins behind the front of the shorter on one side, and before it within the corridor."""
    slanting = affinity.rotate(box(-20, 44, 30, 46), 20, origin=(5, 45))
    beyond = affinity.translate(slanting, 0, 12)

    def told(body: Polygon) -> list[bool]:
        shorter, taller, there = (
            np.array([shape], dtype=object) for shape in (SHORTER, TALLER, body)
        )
        return [bool(each) for each in is_behind(shorter, taller, there)]

    assert slanting.bounds[1] < 40 < slanting.bounds[3]
    assert told(beyond) == [False]
    assert told(affinity.translate(slanting, 0, -6)) == [True]
