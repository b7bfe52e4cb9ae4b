"""On a field of tiles a unit that ends its move is turned by sixths; elsewhere by 15 degrees."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.force.facing import degrees_of
from emlia3d.view.orders.background_odds import BackgroundOdds
from emlia3d.view.orders.order_in_hand import OrderInHand
from emlia3d.view.window.hints import hints_of
from tests.cli.window.table import Sit, Table


def in_hand(table: Table, cells: str) -> OrderInHand:
    """A move of the unit that is asked about, in hand on a field of these cells."""
    setup = table.app._setup
    tiled = replace(setup, field=replace(setup.field, cells=cells))
    hand = OrderInHand(tiled, BackgroundOdds())
    hand.begin(table.entry.sheet)
    hand.point((60.0, 12.0))
    return hand


@pytest.mark.parametrize(
    ("cells", "facings", "words"),
    [
        ("none", [15.0, 30.0, 15.0], "turn at the end"),
        ("hexes", [30.0, 90.0, 30.0], "turn by a sixth"),
    ],
)
def test_a_key_turns_by_the_step_of_the_field(
    table: Table, cells: str, facings: list[float], words: str
) -> None:
    hand = in_hand(table, cells)
    found = []
    for steps in (1, 1, -1):
        hand.turn(steps)
        assert hand.order is not None
        found.append(degrees_of(hand.order.legs[-1].facing))

    assert found == facings
    assert hand.turning == words


def test_the_handle_turns_to_a_neighbour_of_the_tile(table: Table) -> None:
    hand = in_hand(table, "hexes")
    hand.face_towards((80.0, 13.0))

    assert hand.order is not None
    assert degrees_of(hand.order.legs[-1].facing) == 90.0


def test_the_keys_are_named_only_where_a_move_has_a_facing(table: Table, sit: Sit) -> None:
    told = dict(hints_of(table.app.viewer.status()))
    assert told["U, I"] == "turn at the end"

    tiles = sit("refinery", 0)
    tiles.wait()

    assert not any("turn" in words for _, words in hints_of(tiles.app.viewer.status()))
