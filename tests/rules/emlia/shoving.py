"""Pushes as blows would leave them, and two lines of men in ranks to push."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from tests.made_up import made_up
from tests.rules.emlia import troops
from tests.rules.emlia.outcome import markers

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, hits=9)
theirs = partial(troops.theirs, hits=9)
"""Men who outlive the hits of a push or two."""


def score(battle: Battle, scores: Sequence[tuple[int, int, int]]) -> None:
    """Successes by (attacker, subject, how many), as blows would leave them."""
    rows = (dict(zip(("attacker", "subject", "successes"), row, strict=True)) for row in scores)
    changes = tuple(Append(table="push", row=row) for row in rows)
    battle.happen(Event(facts=made_up(Struck), changes=changes))


def pushed(
    battle: Battle,
    play: Play,
    scores: Sequence[tuple[int, int, int]],
    answers: Sequence[Any] = (),
    outlook: MoraleInputs | None = None,
) -> list[Any]:
    """All that comes of such successes: the pushes, and what is decided about them."""
    score(battle, scores)
    return play(battle, forced.push(battle, outlook or MoraleInputs(battle)), answers=answers)


def two_lines(field_of_battle: Build, **more: Any) -> Battle:
    """Alice's line, facing north, and Bob's line before it."""
    return field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101), **more))


def hits(battle: Battle) -> list[tuple[int, ...]]:
    """Markers as (attacker, subject, base damage, hits)."""
    return markers(battle, "attacker", "subject", "base_damage", "hits")
