"""Rehearsals of orders on Tin, and the commander that compares them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall
from emlia3d.battle.commanders import Commander, OpenPicture, RandomCommander
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.dice import Dice, SeededDice
from emlia3d.battle.moment import Moment
from emlia3d.battle.setup import Setup, Side, UnitSetup
from emlia3d.field import Field, Ground, Scale
from emlia3d.force import Formation, Troops, UnitDeployment, facing_of_degrees
from emlia3d.rulekit.commander.rehearse import Onward, Rehearsal, rehearse, to_end_of_turn
from emlia3d.rulekit.commander.search import MOST_ORDERS, Search, halving
from emlia3d.rulekit.testing import check_system
from emlia3d.rulekit.ways import by_commander
from tests.battle.toy_system import GUARDS, SAILORS, Tin, Wanderer


class Trying(Tin):
    """Tin whose commanders rehearse."""

    rehearses = True

    @override
    def commander(self, name: str) -> Commander | None:
        return Search(Wanderer()) if name == "search" else super().commander(name)

    @override
    def worth(self, moment: Moment, side: int) -> float:
        score = moment.state.sides["score"].tolist()
        return float(score[side] - score[1 - side])


class Asked:
    """Waits, but for a question that the test wants to look at; then it stops play."""

    def __init__(self, asks: str, unit: int) -> None:
        self._asks, self._unit = asks, unit

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        if decision.asks == self._asks and decision.unit == self._unit:
            raise QuestionError(decision, picture)
        bumps = [order for order in decision.options if order.verb == "bump"]
        return (bumps or decision.options)[0]


class QuestionError(Exception):
    def __init__(self, decision: Decision, picture: OpenPicture) -> None:
        super().__init__()
        self.decision, self.picture = decision, picture


def unit(name: str, side: int, members: int, files: int, at: tuple[float, float]) -> UnitSetup:
    muster = UnitDeployment(
        name=name,
        side=side,
        troops=Troops(model="foot_bow", width=1.0, depth=1.0),
        members=members,
        at=at,
        facing=facing_of_degrees(180 * side),
        formation=Formation.CLOSE,
        files=files,
    )
    return UnitSetup(muster=muster, entry=None, kind="tin/soldier")


@pytest.fixture(scope="module")
def setup() -> Setup:
    size = (60.0, 40.0)
    return Setup(
        title="Nursery",
        rules="tin",
        turns=3,
        field=Field(size=size, scale=Scale(metres_per_gsu=0.5), ground=Ground.flat(size)),
        sides=(Side(name="Alice", colour="#2a5caa"), Side(name="Bob", colour="#b03030")),
        units=(
            unit("guards", 0, 12, 4, (25.0, 12.0)),
            unit("lancers", 0, 5, 5, (35.0, 12.0)),
            unit("sailors", 1, 9, 5, (25.0, 24.0)),
            unit("bear", 1, 1, 1, (36.0, 25.0)),
        ),
        numbers=None,
    )


def stopped(
    setup: Setup, asks: str, unit: int, seed: int = 1, system: Tin | None = None
) -> tuple[Battle, QuestionError]:
    """A battle at a question, and what its side is given."""
    battle = Battle(setup, Trying() if system is None else system, seed)
    commanders = [Asked(asks, unit), Asked(asks, unit)]
    with pytest.raises(QuestionError) as raised:
        for _ in battle.run(commanders):
            pass
    return battle, raised.value


def tried(question: QuestionError, order: Order, seed: int = 5) -> Rehearsal:
    """A rehearsal to the end of its stretch."""
    onward = Onward(answer=by_commander(Wanderer()), until=lambda scene: True, seed=seed)
    found = rehearse(question.picture.battle, question.decision, order, onward)
    assert found is not None
    return found


def spring_of(moment: Moment, unit: int) -> int:
    return moment.state.units.integer("spring", unit)


def test_what_has_been_rolled_in_the_stretch_is_rolled_again(setup: Setup) -> None:
    """The sailors are asked whether they flee when some of them have fallen already."""
    for seed in range(8):
        battle, question = stopped(setup, "tin.flee", SAILORS, seed)
        fallen = battle.state.units.integer("members", SAILORS)

        found = tried(question, question.decision.options[0])

        assert found.battle.state.units.integer("members", SAILORS) == fallen
        assert spring_of(found.battle, GUARDS) < spring_of(battle, GUARDS), "it went on"
        assert found.battle.state.stretch == battle.state.stretch + 1


def test_a_face_that_has_not_been_rolled_stays_unknown(setup: Setup) -> None:
    """By how much the spring runs down is that of the rehearsal's dice, whatever the battle's."""
    worn = []
    for battle_seed in (1, 2, 3):
        battle, question = stopped(setup, "tin.act", GUARDS, battle_seed)
        bump = Order(verb="bump", unit=GUARDS, target=SAILORS)
        ends = [tried(question, bump, seed).battle for seed in range(12)]
        worn.append([spring_of(battle, GUARDS) - spring_of(end, GUARDS) for end in ends])

    assert worn[0] == worn[1] == worn[2]
    assert len(set(worn[0])) > 2


def test_a_rehearsal_changes_nothing(setup: Setup) -> None:
    battle, question = stopped(setup, "tin.flee", SAILORS)
    known = question.picture.battle
    before = battle.state.key_frame(), known.state.key_frame(), battle.digest.hexdigest()
    faces = list(known.segment.faces) if known.segment else []

    tried(question, question.decision.options[1])

    assert (battle.state.key_frame(), known.state.key_frame(), battle.digest.hexdigest()) == before
    assert known.segment is not None
    assert known.segment.faces == faces != []
    assert [order.verb for order in known.segment.answers] == ["bump"]


def test_equal_seeds_have_equal_dice_and_others_have_others(setup: Setup) -> None:
    _, question = stopped(setup, "tin.act", GUARDS)
    bump = Order(verb="bump", unit=GUARDS, target=SAILORS)

    ends = {seed: [tried(question, bump, seed) for _ in range(2)] for seed in range(6)}

    frames = [[end.battle.state.key_frame() for end in pair] for pair in ends.values()]
    assert all(one == other for one, other in frames)
    assert any(one != frames[0] for one in frames)


def test_a_rehearsal_goes_on_until_it_is_told_to_end(setup: Setup) -> None:
    _, question = stopped(setup, "tin.act", GUARDS)
    known = question.picture.battle
    onward = Onward(answer=by_commander(Wanderer()), until=to_end_of_turn(known), seed=3)

    found = rehearse(known, question.decision, question.decision.options[0], onward)
    short = rehearse(
        known, question.decision, question.decision.options[0], replace(onward, most=1)
    )

    assert found is not None
    assert short is not None
    assert found.battle.state.turn == known.state.turn + 1
    assert found.decisions >= 3
    assert short.decisions == 1


class Asking(Trying):
    """Asks once more at the end of each act, and heeds no answer."""

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        step = super().next_step(battle)
        return None if step is None else _and_asks(step)


def _and_asks(step: Procedure[None]) -> Procedure[None]:
    yield from step
    yield Decision(side=0, asks="tin.last", options=(Order(verb="wait"),))


def test_a_stretch_may_end_with_a_question(setup: Setup) -> None:
    _, question = stopped(setup, "tin.act", GUARDS, system=Asking())
    known = question.picture.battle
    onward = Onward(answer=by_commander(Wanderer()), until=to_end_of_turn(known), seed=3)

    found = rehearse(known, question.decision, question.decision.options[0], onward)

    assert found is not None
    assert found.battle.state.turn == known.state.turn + 1


def test_what_the_side_does_not_know_cannot_be_rehearsed(setup: Setup) -> None:
    """The stretch does not go again if its start, its answers or its faces are not known."""
    _, question = stopped(setup, "tin.flee", SAILORS)
    decision, known = question.decision, question.picture.battle
    onward = Onward(answer=by_commander(Wanderer()), until=lambda scene: True, seed=3)
    assert known.segment is not None

    def rehearsed(**other: Any) -> Rehearsal | None:
        twin = known.fork()
        twin.segment = replace(known.segment, **other) if other else None
        return rehearse(twin, decision, decision.options[0], onward)

    elsewhere = known.segment.start.copy()
    known_again = known.fork()
    known_again.state = elsewhere
    known_again.suppose([Fall(unit=GUARDS, figures=tuple(range(10)))])
    assert rehearsed() is None, "no segment"
    assert rehearsed(answers=[]) is None, "no answer"
    assert rehearsed(answers=[Order(verb="wait", unit=GUARDS)]) is None, "another question"
    assert rehearsed(faces=[(1,)]) is None, "other dice"
    assert rehearsed(faces=[*known.segment.faces, (1,)]) is None, "too many dice"
    assert rehearsed(start=elsewhere) is None, "fewer guards roll fewer dice"


def test_systems_that_do_not_rehearse_keep_no_segments(setup: Setup) -> None:
    battle = Battle(setup, Tin(), 1)

    for _ in battle.run():
        assert battle.segment is None
        assert type(battle.dice) is SeededDice


def test_keeping_segments_changes_no_battle(setup: Setup) -> None:
    digests = set()
    for system in (Tin(), Trying()):
        battle = Battle(setup, system, 4)
        battle.run_to_end()
        digests.add(battle.digest.hexdigest())
        assert battle.segment is None

    assert len(digests) == 1


class Waiter:
    """Waits and stands."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        return decision.options[0]


@pytest.mark.parametrize(
    ("trials", "best", "mean"),
    [
        ([(5, 9, 6), (5, 8, 7)], 1, "8.5"),
        ([(5, 9, 8), (5, 4, 6), (5, 4)], 0, "5"),
        ([(5, 9, 8), (4, 4, 6), (3, 5)], 2, "6.33"),
        ([(5, 5, 4)], 0, "5"),
    ],
)
def test_search_gives_the_best_order_of_those_that_are_better_in_every_trial(
    setup: Setup, trials: list[tuple[int, ...]], best: int, mean: str
) -> None:
    _, question = stopped(setup, "tin.act", GUARDS)
    ends = [float(worth) for trial in trials for worth in trial]

    class Judging(Trying):
        @override
        def worth(self, moment: Moment, side: int) -> float:
            return ends.pop(0)

    def proposals(decision: Decision, picture: Any) -> list[Order]:
        return [*decision.options[1:3], Order(verb="fly")]

    question.picture.battle.system = Judging()
    search = Search(Waiter(), proposals, tries=len(trials))
    order = search.decide(question.decision, question.picture, SeededDice(9, 0))

    assert order == question.decision.options[best]
    assert order.why == f"tried, worth {mean}"
    assert not ends, "an order that ends no better is not tried again"


def ends_of(*means: float, spread: float = 0.0, number: int = 3) -> dict[Order, list[float]]:
    """Return ends of as many trials of orders, with these averages."""
    return {
        Order(verb=f"order {row}"): [mean + spread * (n - (number - 1) / 2) for n in range(number)]
        for row, mean in enumerate(means)
    }


def test_halving_keeps_the_doctrines_order_and_the_better_half_as_trials_double() -> None:
    sift, left = halving(3, 99, 0.5), {}
    for number in range(1, 13):
        ends = ends_of(1, 9, 0, 5, 4, number=number)
        left[number] = [order.verb for order in sift([*ends], ends)]

    every, half = [f"order {row}" for row in range(5)], ["order 0", "order 1", "order 3", "order 4"]
    assert [number for number, kept in left.items() if kept == half] == [3, 6, 12]
    assert all(kept in (every, half) for kept in left.values())


@pytest.mark.parametrize(
    ("means", "caution", "best"),
    [((5, 9, 1), 0.5, 1), ((5, 4, 1), 0.5, 0), ((5, 9, 1), 0.0, 1), ((5, 5, 5), 0.0, 0)],
)
def test_halving_ends_with_one_order_when_the_trials_are_used_up(
    means: tuple[float, ...], caution: float, best: int
) -> None:
    ends = ends_of(*means)

    assert halving(2, 11, caution)([*ends], ends) == [[*ends][best]]
    assert len(halving(2, 12, caution)([*ends], ends)) == 3


@pytest.mark.parametrize(("caution", "best"), [(0.5, 1), (2.0, 0)])
def test_halving_asks_for_a_lead_of_some_standard_errors(caution: float, best: int) -> None:
    # Leads of -1, 1 and 3: 1 on average, with a standard error of 2 / sqrt(3).
    ends = {Order(verb="usual"): [0.0, 0.0, 0.0], Order(verb="other"): [-1.0, 1.0, 3.0]}

    assert halving(2, 6, caution)([*ends], ends) == [[*ends][best]]


def test_search_tries_six_orders_at_most_and_the_doctrines_own_first(setup: Setup) -> None:
    _, question = stopped(setup, "tin.act", GUARDS)
    seen: list[Order] = []

    class Noting(Trying):
        @override
        def worth(self, moment: Moment, side: int) -> float:
            seen.append(Order(verb="seen"))
            return 0.0

    known = question.picture.battle
    known.system = Noting()
    order = Search(Waiter(), tries=1).decide(question.decision, question.picture, SeededDice(9, 0))

    assert 2 <= len(seen) <= MOST_ORDERS
    assert order == question.decision.options[0], "of equals the doctrine's own"


def test_where_nothing_can_be_rehearsed_the_doctrine_decides(setup: Setup) -> None:
    _, question = stopped(setup, "tin.act", GUARDS)
    question.picture.battle.segment = None

    order = Search(Waiter()).decide(question.decision, question.picture, SeededDice(9, 0))

    assert order == question.decision.options[0]
    assert order.why == ""


def test_search_beats_the_random_commander(setup: Setup) -> None:
    won = 0
    for seed in range(10):
        battle = Battle(setup, Trying(), seed)
        side = seed % 2
        players: list[Commander] = [RandomCommander(), RandomCommander()]
        players[side] = Search(Wanderer())
        for _ in battle.run(players):
            pass
        result = battle.result
        assert result is not None
        won += result.winner == setup.sides[side].name

    assert won >= 8


def test_a_system_with_search_passes_what_every_system_must(setup: Setup) -> None:
    begin: Callable[[], Battle] = lambda: Battle(setup, Trying(), 2)  # noqa: E731
    check_system(begin, lambda: [Search(Wanderer(), tries=1), RandomCommander()], most=8)


def test_worth_counts_members_by_default(setup: Setup) -> None:
    battle = Battle(setup, Tin(), 1)

    assert battle.system.worth(battle, 0) == 12 + 5 - 9 - 1
    assert battle.system.worth(battle, 1) == 9 + 1 - 12 - 5
    battle.suppose([Fall(unit=SAILORS, figures=tuple(range(17, 20)))])
    assert battle.system.worth(battle, 0) == 12 + 5 - 6 - 1
