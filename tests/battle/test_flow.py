"""The flow of play: stretches, decisions, and who answers them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.battle.dice import Dice, FixedDice
from emlia3d.battle.events import Event
from emlia3d.battle.flow import DecisionRequest
from emlia3d.battle.result import Result
from emlia3d.errors import Error, IllegalOrderError
from emlia3d.rulekit.testing import PlayRecord

WAIT = Order(verb="wait", unit=0)


class Notebook(PlayRecord):
    """Writes down what happens, and gives orders that were given before."""

    def of(self, kind: str) -> list[Any]:
        return [what for name, what in self.lines if name == kind]


class Obstinate:
    """Always gives the same order, after as many dice of his own as he likes."""

    def __init__(self, order: Order, dice: int = 0) -> None:
        self._order = order
        self._dice = dice

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        dice.roll("whim", self._dice, 6)
        return self._order if decision.asks == "tin.act" else decision.options[0]


class Bumper:
    """Bumps whom he can, and throws dice of his own for nothing."""

    def __init__(self, dice: int) -> None:
        self._dice = dice

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        dice.roll("whim", self._dice, 6)
        wanted = [order for order in decision.options if order.verb == "bump"]
        return (wanted or decision.options)[0]


class Nobody:
    """Is never to be asked."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        raise AssertionError(f"asked about {decision.asks}")


def run(battle: Battle, *commanders: Any, notebook: Notebook | None = None) -> list[Event]:
    return list(battle.run(commanders or None, notebook))


def test_the_first_stretch_is_the_opening_and_turns_follow(battle: Battle) -> None:
    events = run(battle)

    assert [event.name for event in events[:2]] == ["mustered", "turn_began"]
    assert events[-1].name == "called_in"
    assert [event.name for event in events].count("turn_began") == 3
    assert battle.state.stretch == 17


def test_each_event_is_yielded_when_it_is_so(battle: Battle) -> None:
    for event in battle.run():
        if event.name == "turn_began":
            assert battle.state.battle.value("next", 0) == 0
        if event.name == "fell" and event.unit is not None:
            (fall,) = (change for change in event.changes if hasattr(change, "figures"))
            assert all(battle.state.figures["condition"][list(fall.figures)] == 1)


def test_the_next_line_of_a_procedure_sees_what_happened(battle: Battle) -> None:
    """Nobody falls twice: who falls is looked up after the last bump was applied."""
    fallen = [
        figure
        for event in run(battle)
        for change in event.changes
        for figure in getattr(change, "figures", ())
    ]

    assert fallen
    assert len(set(fallen)) == len(fallen)


def test_the_same_seed_fights_the_same_battle(fresh) -> None:
    first, second, other = fresh(7), fresh(7), fresh(8)

    assert run(first) == run(second)
    assert first.digest.hexdigest() == second.digest.hexdigest()
    run(other)
    assert other.digest.hexdigest() != first.digest.hexdigest()


def test_a_battle_that_is_over_has_a_result(battle: Battle) -> None:
    assert battle.result is None

    result = battle.run_to_end()

    assert result == battle.result
    assert isinstance(result, Result)
    assert (result.winner, result.level, result.reason) == ("Bob", "victory", "Mother calls.")


def test_what_happens_is_written_down_in_its_order(battle: Battle) -> None:
    notebook = Notebook()

    events = run(battle, notebook=notebook)

    assert notebook.of("event") == events
    assert notebook.of("boundary") == list(range(1, 18))
    assert notebook.lines[:2] == [("event", events[0]), ("boundary", 1)]
    place = notebook.lines.index(("event", next(e for e in events if e.name == "marched")))
    assert notebook.lines[place - 1][0] == "order"


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (Order(verb="dance", unit=0), r"'dance' is refused: a march has one leg \(tin\.march\)"),
        (Order(verb="wait", unit=2), "'wait' is refused"),
        (
            Order(verb="march", unit=0, legs=(Leg(step="march", x=25.0, y=21.75, facing=0),)),
            r"tin\.act: .* a spring drives 8 GSU \(tin\.march\.far\)",
        ),
    ],
    ids=["of an unknown verb", "for another unit", "beyond the reach"],
)
def test_an_order_that_is_not_allowed_raises_with_the_reason(
    battle: Battle, order: Order, reason: str
) -> None:
    notebook = Notebook()

    with pytest.raises(IllegalOrderError, match=reason):
        run(battle, Obstinate(order), Nobody(), notebook=notebook)

    assert notebook.of("order") == []


def test_where_there_is_no_reach_only_the_options_are_allowed() -> None:
    decision = Decision(side=0, asks="tin.flee", options=(Order(verb="stand"),))

    decision.check(Order(verb="stand", why="brave"))
    with pytest.raises(IllegalOrderError, match=r"tin\.flee: .* it is not one of the options"):
        decision.check(Order(verb="flee"))


def test_an_order_within_the_reach_is_allowed_though_it_is_on_no_list(battle: Battle) -> None:
    anywhere = Order(verb="march", unit=0, legs=(Leg(step="march", x=25.0, y=21.5, facing=64),))

    events = battle.run((Obstinate(anywhere), Nobody()))

    marched = next(event for event in events if event.name == "marched")
    assert marched.unit == 0
    assert battle.state.units.value("y", 0) == 21.5
    assert battle.state.units.integer("facing", 0) == 64


def test_recorded_orders_come_before_commanders_are_asked(fresh) -> None:
    """The second stretch asks once; the answer is there already."""
    march = Order(verb="march", unit=0, number=5)
    battle, notebook = fresh(), Notebook([march])

    for event in battle.run((Nobody(), Nobody()), notebook):
        if event.name == "done":
            break

    assert notebook.of("order") == [march]


def test_a_recorded_order_that_is_not_on_offer_is_refused(battle: Battle) -> None:
    with pytest.raises(IllegalOrderError, match=r"not on offer|one leg"):
        run(battle, Nobody(), Nobody(), notebook=Notebook([Order(verb="dance")]))


def test_dice_that_deciders_throw_leave_those_of_the_battle_as_they_are(fresh) -> None:
    calm, nervous = fresh(), fresh()

    assert run(calm, Bumper(0), Bumper(0)) == run(nervous, Bumper(3), Bumper(50))


def test_each_question_has_dice_of_its_own(battle: Battle) -> None:
    """The second answer of a stretch does not hang on how many dice the first one took."""
    shown: list[tuple[str, tuple[int, ...]]] = []

    class Watcher(Bumper):
        def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
            shown.append((decision.asks, dice.roll("whim", 8, 1000)))
            return super().decide(decision, picture, dice)

    run(battle, Watcher(0), Watcher(9))

    assert "tin.flee" in {asks for asks, _ in shown}
    assert len({faces for _, faces in shown}) == len(shown)


def test_a_decider_gets_the_picture_of_its_side(battle: Battle) -> None:
    pictures: dict[int, set[int]] = {0: set(), 1: set()}

    class Watcher(Bumper):
        def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
            pictures[decision.side].add(picture.side)
            return super().decide(decision, picture, dice)

    run(battle, Watcher(0), Watcher(0))

    assert pictures == {0: {0}, 1: {1}}


def test_a_fresh_generator_at_every_boundary_goes_on_as_the_old_one(fresh) -> None:
    whole, notebook = fresh(), Notebook()
    run(whole, notebook=notebook)

    assert len(notebook.frames) == 17
    for stretch, frame in enumerate(notebook.frames, start=1):
        resumed, rest = fresh(), Notebook()
        resumed.state.restore(json.loads(frame))
        run(resumed, notebook=rest)

        assert rest.lines == notebook.lines[notebook.lines.index(("boundary", stretch)) + 1 :]
        assert resumed.state.key_frame() == whole.state.key_frame()


def test_looking_beside_does_not_change_how_it_goes_on(fresh) -> None:
    """A copy of the state is played on from; the battle itself never notices."""
    plain, curious, ahead = fresh(), fresh(), fresh(99)
    expected = run(plain)

    happened = []
    for event in curious.run():
        happened.append(event)
        if event.name == "turn_began":
            ahead.state.restore(curious.state.copy().key_frame())
            list(ahead.run())

    assert happened == expected


def test_the_random_commander_gives_every_order_on_offer() -> None:
    options = tuple(Order(verb=verb) for verb in ("wait", "bump", "march"))
    decision = Decision(side=0, asks="tin.act", options=options)

    chosen = [RandomCommander().decide(decision, None, FixedDice([face])) for face in (1, 2, 3)]

    assert tuple(chosen) == options


def test_a_battle_of_random_commanders_comes_to_its_end(fresh) -> None:
    for seed in range(20):
        battle = fresh(seed)
        run(battle, RandomCommander(), RandomCommander())
        assert battle.result is not None


def test_commanders_are_found_by_their_names(battle: Battle) -> None:
    assert isinstance(battle.commander("random"), RandomCommander)
    with pytest.raises(Error, match="Tin has no commander called 'napoleon'"):
        battle.commander("napoleon")


def test_a_caller_that_answers_each_request_plays_the_same_battle(fresh) -> None:
    battle, other = fresh(seed=5), fresh(seed=5)
    commanders = [Bumper(dice=3) for _ in battle.setup.sides]
    run(battle, *commanders)

    play = other.dialogue()
    order, asked = None, 0
    while (said := next(play, None) if order is None else play.send(order)) is not None:
        order = None
        if isinstance(said, DecisionRequest):
            asked += 1
            commander = commanders[said.decision.side]
            order = commander.decide(said.decision, said.picture, said.dice)

    assert asked > 10
    assert other.digest.hexdigest() == battle.digest.hexdigest()
