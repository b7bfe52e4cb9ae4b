"""Chapter 20: awareness by concealment, and the tables of hiding and finding."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.rules.emlia.actions import action
from emlia3d.rules.emlia.basics.arcs import Arc, arc_of
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.tables.awareness import (
    HidingIntent,
    SearchFacts,
    conceal_modifier,
    detect_modifier,
    knows,
    may_find,
    threshold,
)

NONE, PARTIAL, TOTAL = Level.NONE, Level.PARTIAL, Level.TOTAL
DETECT = "emlia.aware.detect.mod"


@pytest.mark.rule("emlia.aware.state", "emlia.aware.default")
@pytest.mark.parametrize(
    ("concealment", "hidden", "acquired", "aware"),
    [
        (NONE, False, False, True),
        (NONE, True, False, True),
        (PARTIAL, False, False, True),
        (PARTIAL, True, False, False),
        (PARTIAL, True, True, False),
        (TOTAL, False, False, False),
        (TOTAL, False, True, True),
        (TOTAL, True, True, True),
    ],
)
def test_awareness_follows_from_concealment_hiding_and_finding(
    concealment: Level, hidden: bool, acquired: bool, aware: bool
) -> None:
    assert knows(concealment, hidden=hidden, acquired=acquired) is aware


@pytest.mark.rule("emlia.aware.skills")
def test_stealth_hides_and_alertness_finds() -> None:
    assert action("conceal self").skill == "stealth"
    assert action("detect hidden").skill == "alertness"


@pytest.mark.parametrize(
    ("intent", "modifier", "slugs"),
    [
        pytest.param(
            HidingIntent.NOTHING_ELSE, 2, ("emlia.aware.conceal-self.mod.nothing-else",),
            marks=pytest.mark.rule("emlia.aware.conceal-self.mod.nothing-else"),
        ),
        (HidingIntent.FREE_ACTIONS, 0, ()),
        pytest.param(
            HidingIntent.BOTH, -2, ("emlia.aware.conceal-self.mod.both-actions",),
            marks=pytest.mark.rule("emlia.aware.conceal-self.mod.both-actions"),
        ),
    ],
)  # fmt: skip
def test_hiding_is_the_easier_the_less_else_is_done(
    intent: HidingIntent, modifier: int, slugs: tuple[str, ...]
) -> None:
    assert conceal_modifier(intent)[:2] == (modifier, slugs)


@pytest.mark.parametrize(
    ("facts", "modifier", "keys"),
    [
        pytest.param(facts, modifier, keys,
                     marks=[pytest.mark.rule(f"{DETECT}.{key}") for key in keys])
        for facts, modifier, keys in [
            ({}, 0, ()),
            ({"concealment": TOTAL}, -2, ("total",)),
            ({"distance": 19.9}, +1, ("under-20",)),
            ({"distance": 20}, 0, ()),
            ({"distance": 60}, 0, ()),
            ({"distance": 60.1}, -2, ("over-60",)),
            ({"subject_size": 4}, +2, ("larger",)),
            ({"subject_size": 3}, +1, ("larger",)),
            ({"subject_size": 1.5}, 0, ()),
            ({"subject_size": 0.25}, -2, ("smaller",)),
            ({"source_size": 2, "subject_size": 1}, -1, ("smaller",)),
            ({"was_aware": True}, +1, ("was-aware",)),
            ({"moved": True}, +2, ("moved",)),
            ({"acted_on_known": True}, +2, ("acted-on-known",)),
            ({"attacked_source": True}, +2, ("attacked-source",)),
            ({"acted_upon": True}, +2, ("acted-upon",)),
            ({"taking_cover": True}, -1, ("taking-cover",)),
            ({"arc": Arc.SIDE}, -1, ("side-arc",)),
            ({"arc": Arc.REAR}, -2, ("rear-arc",)),
            ({"subject_unaware": True}, +1, ("subject-unaware",)),
            ({"concealment": TOTAL, "distance": 10, "moved": True}, +1,
             ("total", "under-20", "moved")),
            ({"acted_on_known": True, "attacked_source": True}, +4,
             ("acted-on-known", "attacked-source")),
        ]
    ],
)  # fmt: skip
def test_finding_an_enemy_is_as_hard_as_the_rows_that_hold(
    facts: dict[str, Any], modifier: int, keys: tuple[str, ...]
) -> None:
    found = detect_modifier(SearchFacts(**{"distance": 40, "concealment": PARTIAL, **facts}))

    assert found.total == modifier
    assert found.because == tuple(f"{DETECT}.{key}" for key in keys)


@pytest.mark.rule("emlia.aware.detect.impossible")
@pytest.mark.parametrize(
    ("facts", "may"),
    [
        ({"distance": 20.1, "concealment": TOTAL}, False),
        ({"distance": 20, "concealment": TOTAL}, True),
        ({"distance": 90, "concealment": PARTIAL}, True),
        ({"distance": 90, "concealment": TOTAL, "was_aware": True}, True),
        ({"distance": 90, "concealment": TOTAL, "acted_on_known": True}, True),
        ({"distance": 90, "concealment": TOTAL, "attacked_source": True}, True),
        ({"distance": 90, "concealment": TOTAL, "moved": True, "acted_upon": True}, False),
    ],
)
def test_nobody_finds_the_wholly_concealed_from_afar_unless_something_told_him_where(
    facts: dict[str, Any], may: bool
) -> None:
    assert (may_find(SearchFacts(**facts)) is None) is may


@pytest.mark.rule("emlia.aware.detect")
@pytest.mark.parametrize(
    ("kept", "concealment", "needed"),
    [(2, PARTIAL, 3), (2, TOTAL, 4), (0, TOTAL, 2), (0, PARTIAL, 1)],
)
def test_a_search_must_exceed_the_successes_at_hiding(
    kept: int, concealment: Level, needed: int
) -> None:
    assert threshold(kept, concealment) == needed - 1


@pytest.mark.rule("emlia.aware.detect.arcs")
@pytest.mark.parametrize(
    ("arcs", "degrees", "arc"),
    [
        ((180, 45, 90), 0, Arc.FRONT),
        ((180, 45, 90), 90, Arc.FRONT),
        ((180, 45, 90), -90, Arc.FRONT),
        ((180, 45, 90), 91, Arc.SIDE),
        ((180, 45, 90), 135, Arc.SIDE),
        ((180, 45, 90), -136, Arc.REAR),
        ((180, 45, 90), 180, Arc.REAR),
        ((90, 90, 90), 60, Arc.SIDE),
        ((180, 0, 180), 91, Arc.REAR),
        ((360, 0, 0), 180, Arc.FRONT),
    ],
)
def test_a_direction_on_a_border_belongs_to_the_more_forward_arc(
    arcs: tuple[float, float, float], degrees: int, arc: Arc
) -> None:
    assert arc_of(64 * degrees, arcs) is arc
