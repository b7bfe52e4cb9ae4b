"""How far contact links units into one engagement: by the book without end, or by a house rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.errors import ScenarioError
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.play.situation.contact import engaged_by, engagement_of, melee_of
from emlia3d.rules.emlia.play.situation.fights import fights_of
from emlia3d.rules.emlia.tables.engagement import divided
from emlia3d.scenario.scenario import from_text

Build = Callable[..., Battle]


def line(count: int) -> list[dict[str, Any]]:
    """Men of two sides by turns, 1.5 GSU apart: each touches the next alone."""
    return [
        {"at": (50 + 1.5 * row, 50), "side": "Bob" if row % 2 else "Alice", "hits": 99}
        for row in range(count)
    ]


@pytest.mark.rule("emlia.engage.group")
def test_by_the_book_a_chain_of_any_length_is_one_engagement(field_of_battle: Build) -> None:
    battle = field_of_battle(*line(8))

    assert {engagement_of(battle, unit) for unit in range(8)} == {tuple(range(8))}
    assert melee_of(battle, 0).enemies == (1, 3, 5, 7)


@pytest.mark.rule("emlia.engage.group")
@pytest.mark.parametrize(
    ("count", "steps", "fights"),
    [
        (6, 1, [(0, 1, 2), (3, 4, 5)]),
        (6, 2, [(0, 1, 2, 3), (4, 5)]),
        (6, 4, [(0, 1, 2, 3, 4, 5)]),
        # The last has no enemy left to pair with.
        (4, 1, [(0, 1, 2, 3)]),
        (7, 1, [(0, 1, 2), (3, 4, 5, 6)]),
    ],
)
def test_a_house_rule_divides_a_chain_around_fighting_pairs(
    field_of_battle: Build, count: int, steps: int, fights: list[tuple[int, ...]]
) -> None:
    battle = field_of_battle(*line(count), house={"contact_steps": steps})

    for fight in fights:
        assert {engagement_of(battle, unit) for unit in fight} == {fight}
        assert {fights_of(battle)[unit] for unit in fight} == {fight}
        assert set(melee_of(battle, fight[0]).enemies) == {
            unit for unit in fight if unit % 2 != fight[0] % 2
        }


@pytest.mark.rule("emlia.engage.definition")
def test_the_house_rule_leaves_who_is_engaged_by_whom(field_of_battle: Build) -> None:
    battle = field_of_battle(*line(6), house={"contact_steps": 1})

    assert [engaged_by(battle, unit) for unit in range(6)] == [
        [1],
        [0, 2],
        [1, 3],
        [2, 4],
        [3, 5],
        [4],
    ]


def test_a_unit_without_a_pair_belongs_to_the_first_engagement_that_it_touches() -> None:
    links = {0: [3], 1: [3, 4], 2: [4], 3: [0, 1], 4: [1, 2]}

    assert divided(links, 1) == [(0, 1, 3), (2, 4)]
    assert divided({0: [1], 1: [0, 2], 2: [1, 3], 3: [2]}, 1) == [(0, 1, 2, 3)]


def test_steps_below_0_are_an_error() -> None:
    with pytest.raises(ValueError, match="contact_steps: expected 0 or more, got -1"):
        HouseNumbers(contact_steps=-1)
    with pytest.raises(ScenarioError, match="contact_steps: expected 0 or more, got -1"):
        from_text(
            'format = 1\ntitle = "x"\nrules = "emlia"\nturns = 1\n[field]\nsize = [9, 9]\n'
            "[house]\ncontact_steps = -1\n",
            "x.toml",
        )


@pytest.mark.rule("emlia.engage.group")
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_unit_links_itself_even_if_it_is_to_link_no_others(
    field_of_battle: Build, steps: int
) -> None:
    battle = field_of_battle(*line(8), house={"contact_steps": steps})

    for unit in range(8):
        assert engagement_of(battle, unit, unit) == engagement_of(battle, unit)
