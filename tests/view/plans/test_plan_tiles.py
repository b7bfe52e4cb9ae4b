"""Tiles on a plan: their edges as thin lines, if they are large enough."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from emlia3d.field import Field, Ground, Scale
from emlia3d.field.hexes import board_of
from emlia3d.view.plans.plan_tiles import draw_tiles

SIZE = (12.0, 9.0)
FINE = 2


def field_of(cells: str) -> Field:
    return Field(size=SIZE, scale=Scale(), ground=Ground.flat(SIZE), cells=cells)  # type: ignore[arg-type]


def plan(field: Field, scale: float) -> np.ndarray:
    chart = Image.new(
        "RGB", (round(SIZE[0] * scale * FINE), round(SIZE[1] * scale * FINE)), "white"
    )

    draw_tiles(chart, field, lambda x, y: (x * scale * FINE, (SIZE[1] - y) * scale * FINE), scale)

    return np.asarray(chart).astype(int)


def test_edges_are_drawn_and_centres_stay_clear() -> None:
    field = field_of("hexes")
    board = board_of(field)

    picture = plan(field, 20.0)

    def darkest(places: np.ndarray) -> list[int]:
        columns = np.round(places[:, 0] * 40).astype(int)
        rows = np.round((SIZE[1] - places[:, 1]) * 40).astype(int)
        return [
            int(picture[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].min())
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        ]

    middles = board.edges.mean(axis=1)
    inside = ((middles > 0.1) & (middles < np.array(SIZE) - 0.1)).all(axis=1)
    assert inside.sum() > 300
    assert max(darkest(middles[inside])) < 200
    assert min(darkest(board.grid.centres(board.tiles))) == 255


@pytest.mark.parametrize(("cells", "scale"), [("none", 20.0), ("hexes", 5.9)])
def test_no_tiles_and_small_tiles_leave_the_plan_as_it_is(cells: str, scale: float) -> None:
    assert (plan(field_of(cells), scale) == 255).all()
