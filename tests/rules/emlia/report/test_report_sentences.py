"""A report's sentences: names with articles, verbs in number, causes and dice."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event, Unread
from emlia3d.rulekit.english import (
    ReportNames,
    agreed,
    articled,
    body,
    counted,
    is_plural,
    joined,
    listed,
)
from emlia3d.rules.emlia.events.awareness import LookedAbout
from emlia3d.rules.emlia.events.combat import Fired, Hewed
from emlia3d.rules.emlia.events.losses import (
    Destroyed,
    Encouraged,
    Heartened,
    Shaken,
    Steadied,
    Suffered,
)
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.report.paragraph import Paragraph
from emlia3d.rules.emlia.report.rolls import bracket
from emlia3d.rules.emlia.report.step_results import StepOutcome
from emlia3d.rules.emlia.tables import morale
from emlia3d.rules.emlia.words.event_forms import CAUSES, cause_of, morale_of
from emlia3d.rules.emlia.words.phrases import WORDS
from emlia3d.scenario import load
from tests.made_up import made_up

ROLL = {"dice": 3, "modifier": 1, "successes": 2}


def naming() -> ReportNames:
    """The castle: unit 0 is Red company, 5 the ram, 6 Long Meg, 12 the crossbows of the gate."""
    return ReportNames(load("castle").setup)


@pytest.mark.parametrize(
    ("name", "many"),
    [
        ("spears of the gate", True),
        ("crossbows on the wall", True),
        ("bowmen of the dale", True),
        ("Foot Guards", True),
        ("Red company", False),
        ("Asa", False),
        ("cypress", False),
    ],
)
def test_a_name_is_of_many_by_the_word_at_its_heart(name: str, many: bool) -> None:
    assert is_plural(name) is many


def test_common_names_have_an_article_and_proper_ones_have_none() -> None:
    assert articled("ram") == "the ram"
    assert articled("the Toad") == "the Toad"
    assert articled("Asa") == "Asa"
    assert body("Foot Guards") == "the Foot Guards"
    assert body("General Amory") == "General Amory"
    assert body("Pike's Battery") == "Pike's Battery"


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("<shoots> at it", "shoot at it"),
        ("<presses> on", "press on"),
        ("<charges> home", "charge home"),
        ("<tries> and <goes>", "try and go"),
        ("<is> pushed", "are pushed"),
        ("<has> <its> men", "have their men"),
        ("<catches> <it>", "catch they"),
    ],
)
def test_verbs_and_pronouns_agree_with_one_and_with_many(one: str, many: str) -> None:
    assert agreed(one, many=True) == many
    assert agreed(one, many=False) == one.replace("<", "").replace(">", "")


def test_words_are_put_in_a_row() -> None:
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b"], "or") == "a or b"
    assert counted(1, "hit") == "one hit"
    assert counted(13, "hit") == "13 hits"
    assert joined(["moves", "fires", "waits"]) == "moves, fires and waits"
    assert joined(["moves", "fires, and hits"]) == "moves, then fires, and hits"
    assert joined(["a and b", "c", "d"]) == "a and b; c; then d"


def test_dice_are_told_with_their_faces_and_the_rows_that_held() -> None:
    event = Event(
        facts=made_up(Fired, **ROLL, faces=(4, 9, 12), figures=(-2, 3)),
        because=("emlia.fire", "emlia.fire.mod.outside-short", "emlia.fire.mod.elevation"),
    )

    assert bracket(event) == " [3 dice at +1: 4 9 12; outside short -2, elevation +3]"
    assert bracket(Event(facts=made_up(Moved))) == ""


def test_many_dice_are_told_by_their_counts() -> None:
    event = Event(facts=made_up(Fired, **ROLL, counts=(2, 0, 1)))

    assert bracket(event) == " [3 dice at +1: 2 x 1, 1 x 3]"


@pytest.mark.parametrize(
    ("event", "deed"),
    [
        (
            Event(facts=made_up(Fired, distance=38.9, band="short", **ROLL), unit=12, target=5),
            "<delivers> aimed fire at the ram (short range, 39 GSU) and <scores> two hits",
        ),
        (
            Event(facts=made_up(Hewed, feature="castle gate", **ROLL | {"successes": 0}), unit=5),
            "<attacks> the castle gate and <hits> nothing",
        ),
        (
            Event(facts=Suffered(lost=3, left=17, points=3), unit=0),
            "<loses> 3 (17 left)",
        ),
        (
            Event(facts=Suffered(lost=0, left=1, points=1), unit=6),
            "<takes> one point of damage",
        ),
        (Event(facts=made_up(Destroyed, lost=1), unit=6), "<is> destroyed"),
        (Event(facts=made_up(Destroyed, lost=10), unit=15), "<is> destroyed: the last 10 fall"),
        (
            Event(facts=made_up(Encouraged, **ROLL), unit=0, target=0),
            "<improves> <its> own morale",
        ),
        (
            Event(facts=made_up(Steadied, **ROLL | {"successes": 0}), unit=8, target=5),
            "<fails> to make the ram ignore initiative",
        ),
        (Event(facts=LookedAbout(), unit=8), ""),
        (Event(facts=Unread(event="shone forth"), unit=8), None),
    ],
)
def test_what_a_unit_does_is_told_in_words(event: Event, deed: str | None) -> None:
    assert WORDS.report(event, naming()) == deed


def test_morale_is_told_with_its_cause_and_with_the_state_if_that_is_another() -> None:
    event = Event(
        facts=Shaken(before=2, after=-1, state="Falling Back"),
        unit=0,
        because=(
            "emlia.morale.update",
            "emlia.morale.neg.casualties-10",
            "emlia.morale.neg.general-killed",
            "emlia.morale.pos.inflicts",
        ),
    )

    assert morale_of(event.facts) == "+2 to -1, now falling back"
    assert cause_of(event) == "<its> losses and the loss of the general"


def test_every_row_of_morale_has_a_cause_in_words_and_no_cause_is_of_another() -> None:
    rows = [row.slug for row in (*morale.TABLE, *morale.SECOND_PASS)]
    deeds = {"emlia.lead.improve"}

    assert [slug for slug in rows if not slug.startswith(tuple(CAUSES))] == []
    assert [
        slug for slug in CAUSES.keys() - deeds if not any(row.startswith(slug) for row in rows)
    ] == []


def test_an_enemy_that_is_forced_into_a_unit_is_not_said_to_be_forced_into_another() -> None:
    heartened = made_up(Heartened, before=1, after=2)
    events = [
        Event(facts=heartened, unit=0, because=("emlia.morale.update", f"emlia.morale.pos.{row}"))
        for row in ("enemy-forced-into", "forced-enemy-into-enemy")
    ]

    assert list(map(cause_of, events)) == [
        "an enemy forced into <its> ranks",
        "an enemy forced into another enemy",
    ]


def test_what_one_unit_does_in_a_row_is_one_sentence() -> None:
    paragraph = Paragraph(naming())
    paragraph.add(12, "<moves> 3 GSU east")
    paragraph.add(12, "<hides>", " [1 die at 0]")
    paragraph.add(5, "<waits>")
    paragraph.say("the gate is destroyed")

    assert paragraph.text() == (
        "The crossbows of the gate move 3 GSU east and hide [1 die at 0]. The ram waits. "
        "The gate is destroyed."
    )
    assert paragraph.text() == ""


def test_those_who_lose_heart_for_the_same_cause_are_told_of_together() -> None:
    outcome = StepOutcome(naming())

    def shaken(unit: int) -> Event:
        facts = {"before": 1, "after": 0, "state": "Shaken"}
        return Event(
            facts=made_up(Shaken, **facts), unit=unit, because=("emlia.morale.neg.general-killed",)
        )

    for unit in (5, 12):
        outcome.add(shaken(unit), "<loses> morale", "")
    outcome.add(Event(facts=made_up(Destroyed), unit=6), "<falls>", "")

    assert outcome.sentences() == [
        "Long Meg falls.",
        "The ram (+1 to 0, now shaken) and the crossbows of the gate (+1 to 0, now shaken) lose "
        "morale because of the loss of the general.",
    ]
