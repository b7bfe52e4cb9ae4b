"""Painting on the ground: what is covered how strongly, and where."""

from __future__ import annotations

import numpy as np
import pytest
from shapely import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from emlia3d.view.sight.groundpicture import GroundPicture


def test_a_shape_covers_its_own_texels_and_no_others() -> None:
    picture = GroundPicture((0, 0, 64, 32), 2.0, most_texels=64)
    picture.fill(box(8, 4, 24, 12), "#ff0000", 0.5)
    overlay = picture.overlay()

    alpha = overlay.picture[..., 3] > 0
    rows, columns = np.nonzero(alpha)
    assert (columns.min(), columns.max()) == (8, 23 + 1)
    assert (rows.min(), rows.max()) == (20, 27 + 1), "row 0 is in the north"
    assert overlay.bounds_m == (0, 0, 128, 64)


def test_both_sides_are_powers_of_two() -> None:
    picture = GroundPicture((0, 0, 300, 77), 1.0, most_texels=256)

    for side in picture.overlay().picture.shape[:2]:
        assert side & (side - 1) == 0


def test_what_comes_later_lies_over_what_was_before() -> None:
    picture = GroundPicture((0, 0, 16, 16), 1.0, most_texels=16)
    picture.fill(box(0, 0, 16, 16), "#ff0000", 1.0)
    picture.fill(box(0, 0, 8, 16), "#0000ff", 0.5)
    found = picture.overlay().picture.astype(int)

    assert found[8, 2].tolist() == pytest.approx([128, 0, 128, 255], abs=1)
    assert found[8, 14].tolist() == [255, 0, 0, 255]


def test_a_hole_stays_free() -> None:
    ring = Polygon(box(0, 0, 16, 16).exterior, [box(4, 4, 12, 12).exterior])
    picture = GroundPicture((0, 0, 16, 16), 1.0, most_texels=16)
    picture.fill(ring, "#ff0000", 1.0)

    alpha = picture.overlay().picture[..., 3]
    assert alpha[8, 8] == 0
    assert alpha[2, 2] == 255


def test_hatching_tells_colours_apart_without_the_colour() -> None:
    alphas = []
    for hatch in ("none", "one way", "both ways"):
        picture = GroundPicture((0, 0, 256, 256), 1.0, most_texels=256)
        picture.fill(box(0, 0, 256, 256), "#808080", 0.8, hatch)
        alphas.append(picture.overlay().picture[..., 3] > 0.9 * 0.8 * 255)

    shares = [float(struck.mean()) for struck in alphas]
    assert shares[0] == 1.0
    assert 0.1 < shares[1] < shares[2] < 0.6


@pytest.mark.parametrize("shape", [Polygon(), LineString(), Polygon().boundary])
def test_an_empty_shape_has_no_rim(shape: BaseGeometry) -> None:
    picture = GroundPicture((0, 0, 16, 16), 1.0, most_texels=16)
    picture.rim(shape, "#ff0000", 1.0, 2.0)
    picture.fill(shape, "#ff0000", 1.0)

    assert not picture.overlay().picture[..., 3].any()
