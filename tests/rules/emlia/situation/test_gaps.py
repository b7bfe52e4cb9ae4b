"""How far units and subunits stand from one another: the whole, or a subunit alone."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.situation import situation_of

Build = Callable[..., Battle]

HEAD, PART, FOE, FRIEND = range(4)


@pytest.fixture
def battle(field_of_battle: Build) -> Battle:
    """A mixed unit of two men 4 GSU apart; an enemy 5 GSU east of the second, a friend north."""
    plain = {"formation": "close", "members": 1}
    return field_of_battle(
        {**plain, "at": (50, 50), "name": "head"},
        {**plain, "at": (54, 50), "group": "head"},
        {**plain, "at": (59, 50), "side": "Bob"},
        {**plain, "at": (50, 57)},
    )


def test_a_subunit_alone_is_as_far_away_as_it_stands(battle: Battle) -> None:
    """Each man stands on a disc of 1 GSU, drawn with sixteen sides."""
    situation = situation_of(battle)

    assert situation.gap(HEAD, FOE) == pytest.approx(8)
    assert situation.gap(PART, FOE) == pytest.approx(4)
    assert situation.gap(HEAD, FRIEND) == pytest.approx(6)
    assert situation.gap(FOE, FRIEND) == pytest.approx(situation.distance(FOE, FRIEND))
    assert situation.gaps(HEAD, [FOE, FRIEND]) == pytest.approx([8, 6])
    assert situation.gaps(PART, [FRIEND, FOE]) == pytest.approx([hypot(4, 7) - 1, 4], abs=0.02)


def test_to_a_mixed_unit_all_of_it_counts_unless_a_subunit_is_asked_about(battle: Battle) -> None:
    situation = situation_of(battle)

    assert situation.distance(HEAD, FOE) == situation.distance(FOE, HEAD) == pytest.approx(4)
    assert situation.gap(FOE, HEAD) == pytest.approx(4)
    assert situation.gaps(FOE, [HEAD, FRIEND])[0] == pytest.approx(4)
    assert situation.apart(HEAD, FOE) == situation.apart(FOE, HEAD) == pytest.approx(8)
    assert situation.apart(PART, FOE) == situation.apart(FOE, PART) == pytest.approx(4)
    assert situation.apart(HEAD, PART) == pytest.approx(3)
