"""Commanders and ways of playing by which battles of Emlia are tried out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

from emlia3d.battle import events as recorded
from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander, RandomCommander
from emlia3d.battle.decisions import Decision, Leg, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.digest import EventDigest
from emlia3d.battle.events import Event
from emlia3d.battle.flow import NullRecorder
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.play.situation.contact import contacts
from tests.rules.emlia.random_boards import CELL, board_of

MOVES = frozenset({"move", "double-pace"})
FIGHTS = (
    "charge", "close-combat", "fire", "aim", "area", "concentrated", "hew", "join", "split",
    "disengage",
)  # fmt: skip
"""How the verbs of orders begin that lead to more than a move."""


class Fuzzer(RandomCommander):
    """Any order on offer; moves are checked against what the rules would accept unasked."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        for option in decision.options:
            decision.check(option)
            if decision.validator is not None and option.verb in MOVES:
                assert decision.validator.refusal(option) is None, option
        return super().decide(decision, picture, dice)


class Wanderer(Fuzzer):
    """One who seeks a fight, and gives orders too that nobody has offered him.

    They are moves of legs that are laid by chance.
    """

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        fights = [option for option in decision.options if option.verb.startswith(FIGHTS)]
        (keen,) = dice.roll("seek a fight", 1, 12)
        if fights and keen > 4:
            decision = replace(decision, options=tuple(fights))
        offered = super().decide(decision, picture, dice)
        if decision.validator is None or offered.verb not in MOVES or not offered.legs:
            return offered
        (count,) = dice.roll("wander", 1, 4)
        legs = offered.legs[: count - 1]
        for _ in range(count):
            legs = (*legs, _by_chance(legs[-1] if legs else offered.legs[0], dice))
            order = replace(offered, legs=legs)
            if decision.validator.refusal(order) is None:
                offered = order
        return offered


def _by_chance(after: Leg, dice: Dice) -> Leg:
    """One more leg, near where the one before it ended."""
    step, east, north, turn, formation, files = dice.roll("leg", 6, 12)
    match step:
        case 1 | 2 | 3 | 4 | 5:
            x, y = after.x + east - 6.5, after.y + north - 6.5
            return replace(after, step="march", x=x, y=y, formation=-1, files=-1)
        case 6 | 7 | 8:
            facing = (after.facing + turn * 30 * 64) % (360 * 64)
            return replace(after, step="turn", facing=facing, formation=-1, files=-1)
        case 9 | 10:
            facing = (after.facing + (turn - 6) * 10 * 64) % (360 * 64)
            return replace(after, step="wheel", facing=facing, formation=-1, files=-1)
        case _:
            return replace(after, step="form", formation=formation % 3, files=files)


def digest_of(battle: Battle, run: Callable[[Battle], Iterable[Event]]) -> str:
    """Play a battle to its end; the digest of what has happened in it."""
    for _ in run(battle):
        pass
    return battle.digest.hexdigest()


def folded(setup: Setup, events: Iterable[Event]) -> State:
    """The state that events lead to, each as a line of text between."""
    heights = [feature.height for feature in setup.field.features]
    state = State.mustered(
        [unit.muster for unit in setup.units], len(setup.sides), heights, SYSTEM.columns
    )
    for event in events:
        apply(state, recorded.from_json(json.loads(json.dumps(recorded.to_json(event)))))
    return state


class StretchOverError(Exception):
    """A stretch is finished."""


class OneStretch(NullRecorder):
    """Ends play at the first boundary."""

    def boundary(self, state: State) -> None:
        raise StretchOverError


def frames_of(
    setup: Setup, seed: int, commanders: Callable[[], Sequence[Commander]]
) -> Iterator[tuple[str | None, list[Event]]]:
    """A battle in which each stretch is played by a battle of its own: its start and its events.

    Each knows nothing of those before it but the key frame that they left, as text.
    """
    frame: str | None = None
    while True:
        battle = Battle(setup, SYSTEM, seed)
        if frame is not None:
            battle.state.restore(json.loads(frame))
        events: list[Event] = []
        try:
            for event in battle.run(commanders(), OneStretch()):
                events.append(event)  # noqa: PERF402  the last are kept when it is cut off
        except StretchOverError:
            yield frame, events
            frame = json.dumps(battle.state.key_frame())
        else:
            return


class Steady:
    """Gives the same order of those on offer, in whatever order they are offered."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        return min(decision.options, key=repr)


class Once:
    """Gives one order of the first choice that there is, and then does no more than he must.

    number : which of those on offer; choices : how many they were, once it has come to that
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self.choices = 0

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        options = list(decision.options)
        if not self.choices and len(options) > 1 and decision.asks != "emlia.time.order-in-step":
            self.choices = len(options)
            return options[self._number]
        return next((option for option in options if option.verb == "done"), options[-1])


INPUTS = ("marker", "push", "note", "battering", "party")
"""What has been done in a step, as the resolution finds it."""


def resolved(setup: Setup, seed: int, frame: str, shuffle: Random | None = None) -> dict[str, Any]:
    """How the stretch that begins with a key frame leaves the battle, as a key frame.

    shuffle : mixes the order in which is written down what has been done
    """
    battle = Battle(setup, SYSTEM, seed)
    battle.state.restore(json.loads(frame))
    if shuffle is not None:
        for name in INPUTS:
            table = battle.state.lists[name]
            order = shuffle.sample(range(len(table)), len(table))
            table.replace({column.name: table[column.name][order] for column in table.columns})
        for name, cells in battle.state.pairs.items():
            battle.state.pairs[name] = dict(shuffle.sample(list(cells.items()), len(cells)))
    with suppress(StretchOverError):
        for _ in battle.run([Steady() for _ in setup.sides], OneStretch()):
            pass
    return battle.state.key_frame()


def in_pieces(setup: Setup, seed: int, commanders: Callable[[], Sequence[Commander]]) -> str:
    """The digest of a battle that is taken up afresh at every boundary."""
    digest = EventDigest()
    for _, events in frames_of(setup, seed, commanders):
        for event in events:
            digest.add(event)
    return digest.hexdigest()


def moment_of(number: int, built: Callable[..., Battle], cell: int = CELL) -> Battle:
    """A battle on a board in which a unit has just been activated, and enemies engage if any do."""
    setup = board_of(number, built, cell)
    battle = Battle(setup, SYSTEM, number)
    for event in battle.run([Wanderer()] * len(setup.sides)):
        if event.name == "activated" and (battle.state.turn == 2 or contacts(battle)):
            break
    return battle
