"""Chapter 10.4: the rows of Join Units, each asked of two subjects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.morale.leading import to_both, try_of
from emlia3d.rules.emlia.play.sight.sight_cache import level_on
from emlia3d.rules.emlia.tables.leadership import JOIN, LeadershipCheck, lead_modifier

Build = Callable[..., Battle]

PLAIN = LeadershipCheck(source_morale=2, subject_morale=2, subject_start=2)

OFFICER: dict[str, Any] = {
    "name": "officer", "at": (60, 40), "skills": {"leadership": "3"}, "army_value": 2,
}  # fmt: skip
FOE: dict[str, Any] = {"name": "foe", "side": "Bob", "members": 4, "at": (60, 180)}

ROWS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("subject-m4", {"subject_morale": -4}, -2),
    ("av-lower", {"value_lower": True}, -1),
    ("subject-unaware", {"subject_unaware": True}, -5),
    ("source-partial", {"partial": True}, -1),
    ("source-total", {"total": True}, -3),
    ("one-ranked", {"ranked": True}, -1),
    ("open-wide", {"open": True, "across": 21.0}, -2),
    ("not-all-within", {"all_within": False}, -5),
)


@pytest.mark.parametrize(
    ("key", "fact", "value"),
    [
        pytest.param(*row, id=row[0], marks=pytest.mark.rule(f"emlia.lead.join.mod.{row[0]}"))
        for row in ROWS
    ],
)
def test_a_row_counts_once_if_it_is_true_of_either_subject(
    key: str, fact: dict[str, Any], value: int
) -> None:
    of_one = replace(PLAIN, **fact)
    slugs = (f"emlia.lead.join.mod.{key}",)

    for pair in ((of_one, PLAIN), (PLAIN, of_one)):
        assert lead_modifier(to_both(*pair), JOIN) == (value, slugs, (value,))


@pytest.mark.parametrize(
    ("fact", "value"),
    [(fact, 0 if key == "one-ranked" else value) for key, fact, value in ROWS],
    ids=[key for key, _, _ in ROWS],
)
@pytest.mark.rule("emlia.lead.join")
def test_a_row_true_of_both_subjects_counts_no_more_than_once(
    fact: dict[str, Any], value: int
) -> None:
    of_one = replace(PLAIN, **fact)

    assert lead_modifier(to_both(of_one, of_one), JOIN).total == value


@pytest.mark.rule("emlia.lead.join.mod.source-higher")
def test_the_row_of_height_needs_both_subjects() -> None:
    below = replace(PLAIN, higher=True)

    assert lead_modifier(to_both(below, below), JOIN).total == 1
    assert lead_modifier(to_both(below, PLAIN), JOIN).total == 0
    assert lead_modifier(to_both(PLAIN, below), JOIN).total == 0


@pytest.mark.rule("emlia.lead.join.mod.subject-m7")
def test_a_routed_subject_counts_whichever_it_is() -> None:
    routed = replace(PLAIN, subject_morale=-7)

    assert lead_modifier(to_both(PLAIN, routed), JOIN).total == -5
    assert lead_modifier(to_both(routed, PLAIN), JOIN).total == -5


@pytest.mark.rule("emlia.lead.join.mod.open-wide")
def test_a_wide_subject_counts_only_if_it_is_the_open_one() -> None:
    narrow_open = replace(PLAIN, open=True, across=10.0)
    wide_ranks = replace(PLAIN, across=30.0)

    assert lead_modifier(to_both(narrow_open, wide_ranks), JOIN).total == 0


@pytest.mark.rule("emlia.lead.join.mod.source-partial", "emlia.lead.join.mod.source-total")
def test_a_source_hidden_in_part_from_one_subject_and_wholly_from_the_other_counts_both(
    field_of_battle: Build,
) -> None:
    hiding = [
        {"kind": "rock", "box": (62, 30, 63, 50), "height": 20},
        {"kind": "tree", "box": (58, 43, 62, 45)},
    ]
    battle = field_of_battle(
        OFFICER, {"name": "east", "at": (66, 40)}, {"name": "north", "at": (60, 48)}, FOE,
        terrain=hiding,
    )  # fmt: skip
    assert [level_on(battle, subject, 0) for subject in (1, 2)] == [Level.TOTAL, Level.PARTIAL]

    tried = try_of(battle, Order(verb="join-units", unit=0, target=1, number=2))

    rows = dict(zip(tried.modifier.because, tried.modifier.figures, strict=True))
    hidden = [rows[f"emlia.lead.join.mod.source-{key}"] for key in ("partial", "total")]
    assert hidden == [-1, -3]
    assert sum(hidden) == -4


@pytest.mark.rule("emlia.lead.improve.mod.source-higher", "emlia.lead.join.mod.source-higher")
@pytest.mark.parametrize(
    ("tall", "raised", "is_higher"),
    [(3, 0, True), (1, 3, True), (1, 0, False), (2, 0, True), (1, 1, True)],
)
def test_a_leader_whose_top_is_above_the_subject_s_is_higher(
    field_of_battle: Build, tall: float, raised: float, is_higher: bool
) -> None:
    officer = {**OFFICER, "height": tall, "on_height": raised}
    battle = field_of_battle(officer, {"name": "men", "at": (66, 40)}, FOE)

    tried = try_of(battle, Order(verb="improve-morale", unit=0, target=1))

    rows = [slug for slug in tried.modifier.because if slug.endswith("source-higher")]
    assert bool(rows) is is_higher
