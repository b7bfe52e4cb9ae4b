"""Units that act together: in words, in the fog, and in what a side sees happen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typing_extensions import override

from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.formatting import Words
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.fog import Fog, as_seen
from emlia3d.battle.setup import Setup
from emlia3d.rulekit.words import WordTable, said
from tests.battle.toy_events import Bumped
from tests.battle.toy_system import BEAR, GUARDS, LANCERS, SAILORS, Tin

FACTS = Bumped(faces=(6,), hits=1, force=0.25, hard=False, aim=None)
TOGETHER = Event(facts=FACTS, unit=GUARDS, others=(LANCERS,), target=BEAR)
ALONE = Event(facts=FACTS, unit=GUARDS, target=BEAR)
BY_BOB = Event(facts=FACTS, unit=SAILORS, others=(BEAR,), target=GUARDS)


class Misty(Tin):
    """A Tin in which some units of Bob are hidden from Alice."""

    def __init__(self, *hidden: int) -> None:
        self.hidden = hidden

    words = WordTable(
        events=dict([said(Bumped, "{units} <bump> {target}", "<bumps> {target}")]),
        orders={"bump": "{units}: bump {target}"},
    )

    @override
    def hidden_from(self, moment: Moment, side: int) -> tuple[int, ...]:
        return self.hidden if side == 0 else ()


def battle_of(setup: Setup, *hidden: int) -> Battle:
    return Battle(setup, Misty(*hidden), 1)


def test_those_that_act_are_named_before_the_target() -> None:
    assert TOGETHER.actors == (GUARDS, LANCERS)
    assert TOGETHER.named == (GUARDS, LANCERS, BEAR)
    assert Event(facts=FACTS).named == ()
    assert Order(verb="bump", unit=GUARDS, units=(LANCERS,)).actors == (GUARDS, LANCERS)
    assert Order(verb="bump").actors == ()


def test_a_table_of_words_lists_those_that_act(setup: Setup) -> None:
    battle = battle_of(setup)
    marked = "{units} <bumps> {target}"
    table = WordTable(events=dict([said(Bumped, marked)]))

    assert table.sentence(battle, TOGETHER) == "guards and lancers bump bear"
    assert table.sentence(battle, BY_BOB) == "sailors and bear bump guards"
    assert Misty.words.reporter(battle)(TOGETHER) == "The guards and the lancers bump the bear."
    order = Order(verb="bump", unit=GUARDS, units=(LANCERS,), target=BEAR)
    assert Misty.words.phrase(battle, order) == "guards and lancers: bump bear"


def test_plain_words_list_those_that_act(setup: Setup) -> None:
    battle = battle_of(setup)
    order = Order(verb="bump", unit=GUARDS, units=(LANCERS,), target=BEAR)

    assert Words().sentence(battle, TOGETHER).startswith("guards, lancers: bumped > bear")
    assert Words().phrase(battle, order) == "guards, lancers: bump bear"


@pytest.mark.parametrize(
    ("hidden", "told"),
    [
        ((), "sailors and bear bump guards"),
        ((BEAR,), "sailors and an unseen unit bump guards"),
        ((SAILORS, BEAR), "an unseen unit and an unseen unit bump guards"),
    ],
)
def test_fog_hides_each_of_those_that_act(setup: Setup, hidden: tuple[int, ...], told: str) -> None:
    battle = battle_of(setup, *hidden)

    assert Fog(0).tell(battle, BY_BOB) == told


@pytest.mark.parametrize(
    ("hidden", "told"),
    [((SAILORS,), "an unseen unit and bear bump sailors"), ((SAILORS, BEAR), "")],
)
def test_an_event_of_hidden_units_alone_is_no_news(
    setup: Setup, hidden: tuple[int, ...], told: str
) -> None:
    event = Event(facts=FACTS, unit=SAILORS, others=(BEAR,), target=SAILORS)
    told = told.replace("bump sailors", "bump an unseen unit")

    assert Fog(0).tell(battle_of(setup, *hidden), event) == told


@pytest.mark.parametrize(
    ("hidden", "seen"),
    [
        ((), BY_BOB),
        ((BEAR,), Event(facts=FACTS, unit=SAILORS, target=GUARDS)),
        ((SAILORS,), Event(facts=FACTS, unit=BEAR, target=GUARDS)),
        ((SAILORS, BEAR), None),
        ((GUARDS,), None),
    ],
)
def test_a_side_sees_no_hidden_unit_act(hidden: tuple[int, ...], seen: Event | None) -> None:
    assert as_seen(BY_BOB, hidden) == seen
    assert as_seen(Event(facts=FACTS), hidden) == Event(facts=FACTS)


def test_a_unit_that_there_is_not_cannot_act(fresh: Callable[..., Battle]) -> None:
    state = fresh(1).state

    with pytest.raises(ValueError, match="unit"):
        apply(state, Event(facts=FACTS, unit=GUARDS, others=(99,)))
