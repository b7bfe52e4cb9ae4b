"""Which members have an enemy in reach, and what touches a skirmish: bases, postures, reaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.play.situation.contact import able_against, touches

Build = Callable[..., Battle]
PIKE = {"name": "Pike", "base_damage": 1, "abilities": ("reach 1",)}


@pytest.mark.rule("emlia.form.close.better", "emlia.engage.combat-range")
@pytest.mark.parametrize("base", [(2.0, 4.0), (4.0, 2.0)])
@pytest.mark.parametrize(
    ("north", "able"), [(0.0, [True, True]), (2.5, [True, False]), (-2.5, [False, True])]
)
def test_a_member_on_a_long_base_reaches_from_a_circle_round_its_length(
    field_of_battle: Build, base: tuple[float, float], north: float, able: list[bool]
) -> None:
    """The base is in metres: each takes up 1 GSU to every side, and reaches 1 GSU farther."""
    own, other = {"at": (100, 100), "base": base}, {"side": "Bob", "at": (101.75, 100 + north)}
    battle = field_of_battle({**own, "members": 2, "files": 1, "formation": "close"}, other)

    assert able_against(battle, 0, 1).tolist() == able


@pytest.mark.rule("emlia.ranked.engaged-members", "emlia.move.drop-down")
@pytest.mark.parametrize(
    ("states", "gap", "able"),
    [((), 0.25, 4), ((), 1.25, 2), (("prone",), 0.25, 4), (("prone",), 0.75, 2)],
)
def test_the_second_rank_of_pikes_reaches_past_the_first_as_far_as_its_posture_lets_it(
    field_of_battle: Build, states: tuple[str, ...], gap: float, able: int
) -> None:
    """Its range is its size and 1 more: 2 GSU upright, 1.5 lying down; a rank is 1 GSU deep."""
    pikes: dict[str, Any] = {
        "front": (100, 100), "members": 4, "files": 2, "formation": "ranked", "weapons": (PIKE,),
        "states": states,
    }  # fmt: skip
    line = {"front": (100, 100 + gap), "facing": 180, "side": "Bob", "members": 4, "files": 4}
    battle = field_of_battle(pikes, {**line, "formation": "ranked"})

    assert able_against(battle, 0, 1).sum() == able


@pytest.mark.rule("emlia.skirmish.join-by-contact", "emlia.engage.asymmetric")
@pytest.mark.parametrize("armed", [(), (0,), (1,), (2,)])
@pytest.mark.parametrize(("gap", "reach"), [(1.0, 1), (1.5, 2), (2.25, 3)])
def test_a_unit_touches_a_skirmish_within_the_longest_reach_of_any_of_them(
    field_of_battle: Build, armed: tuple[int, ...], gap: float, reach: int
) -> None:
    """With a pike a man reaches 2 GSU, and 1 without."""
    men = [{"at": (100, 100)}, {"at": (101.75, 100), "side": "Bob"}, {"at": (100, 99 - gap)}]
    battle = field_of_battle(
        *({**man, "weapons": (PIKE,) if row in armed else ()} for row, man in enumerate(men))
    )

    assert touches(battle, 2, (0, 1)) is (reach <= (2 if armed else 1))
