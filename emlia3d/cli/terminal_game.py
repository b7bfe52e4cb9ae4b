"""Games in a terminal: questions with numbered answers, one line for each order."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import ASKS_FOR_PLAN, MISSION
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.files.orders import order_from_json
from emlia3d.battle.formatting import format_value
from emlia3d.battle.game import Game, OrderUndoneError, PendingDecision, PlayerLeftError, Rewind
from emlia3d.battle.questions.fog import Fog
from emlia3d.battle.questions.intents import card_seen_by
from emlia3d.battle.questions.options import Place, choices, refusal_of
from emlia3d.battle.questions.routines import routine_from_words
from emlia3d.battle.spare_rows import used_rows
from emlia3d.battle.unit_outlines import places_of
from emlia3d.cli.interrupt import heed, heeded
from emlia3d.cli.writing import clear_screen, echo
from emlia3d.errors import Error, quoted, suggestion
from emlia3d.field import Field
from emlia3d.field.hexes import centre_of_named_tile, tile_name_at
from emlia3d.force.facing import degrees_of, facing_of_degrees

HELP = """\
  NUMBER            give that order
  VERB X Y [DEG]    an order to a point, as in: move 60 30, or move 60 30 90 to end facing east
  VERB Q,R [DEG]    on a field of tiles, an order to a tile, as in: move 12,5
  VERB NUMBER SIDE  split a unit, as in: divide 5 rear, so that the five at the rear leave
  mission BRIGADE MISSION GOAL   as in: mission Infantry attack ridge, at the plan of a turn
  {"order": ...}    any order, in the form of a battle file
  odds NUMBER       the odds of an attack
  units             the objectives and all known units;  look NAME  one unit
  doctrine          let the AI give this order;  rest  and all orders of the turn
  rest BRIGADE      let the AI give the orders of one brigade in this turn
  routine hold      until changed, the unit stays and does nothing; also: fire, to shoot
                    at will; go X Y, to advance; lead, to leave it to the AI; none, to be
                    asked again. A unit's name may follow, as in: routine none archers
  undo              undo your last order
  quit              leave; a battle kept with --save can be resumed"""

SHORT = "Number, or help"


class TerminalGame:
    """One game in a terminal."""

    def __init__(
        self, file: Path, battle: Battle, people: tuple[int, ...], *, fog: bool = True
    ) -> None:
        """Open a game on a battle file; *battle* is the state before the first event."""
        self._game = Game(file, battle, people, self._ask)
        self._fog = fog
        self._fogs = {side: Fog(side) for side in people}
        self._news: dict[int, list[str]] = {side: [] for side in people}
        self._seated: int | None = people[0] if len(people) == 1 else None
        self._resting: tuple[int, int] | None = None
        self._left: tuple[int, int, frozenset[int]] = (-1, 0, frozenset())
        self._put_last: tuple[str, int, int] = ("", 0, 0)

    def play(self) -> Battle:
        """Play until the battle is over or all players leave; return the battle."""
        try:
            for told in heeded(self._game.run()):
                if isinstance(told, Rewind):
                    self._took_back()
                    continue
                for side, news in self._news.items():
                    battle = self._game.battle
                    text = (
                        self._fogs[side].tell(battle, told)
                        if self._fog
                        else battle.system.tell(battle, told)
                    )
                    if text:
                        news.append(text)
                if self._seated is not None:
                    self._tell_news(self._seated)
        finally:
            self._game.close()
        return self._game.battle

    def _took_back(self) -> None:
        for news in self._news.values():
            news.clear()
        self._resting = None
        self._left = (-1, 0, frozenset())
        echo("Undone.")

    def _tell_news(self, side: int) -> None:
        for text in self._news[side]:
            echo(f"  {text}")
        self._news[side].clear()

    def _ask(self, asked: PendingDecision) -> Order | None:
        """Ask the question until it is answered."""
        side = asked.decision.side
        if self._is_left(asked):
            return None
        order = self._game.routines.answer(asked)
        if order is not None:
            return order
        if side != self._seated:
            self._change_seats(asked.battle, side)
        self._tell_news(side)
        offered = choices(asked.battle, asked.decision)
        self._put(asked, offered)
        while True:
            try:
                answer = self._answer(asked, offered, _line())
            except Error as flaw:
                echo(f"  {flaw}")
                continue
            if answer is not _AGAIN:
                return answer

    def _is_left(self, asked: PendingDecision) -> bool:
        """Return whether the player has left a decision to the AI for this turn."""
        now = asked.decision.side, asked.battle.state.turn
        if self._resting == now:
            return True
        self._resting = None
        if self._left[:2] != now:
            self._left = (*now, frozenset())
        decision, left = asked.decision, self._left[2]
        if decision.unit is not None or not left:
            return decision.unit in left
        about = {unit for order in decision.options for unit in order.actors}
        return bool(about) and about <= left

    def _leave(self, asked: PendingDecision, name: str) -> Order | None:
        """Leave a brigade to the AI for this turn; without a name, the whole side.

        Return `_AGAIN` if the user must still answer.

        Raises Error if no brigade with a mission has that name.
        """
        side, turn = asked.decision.side, asked.battle.state.turn
        if not name:
            self._resting = side, turn
            return None
        tasks = asked.battle.system.intents(asked.battle, side)
        groups = dict.fromkeys(each.group for each in tasks)
        group = next((each for each in groups if each.lower() == name.lower()), None)
        if group is None:
            known = f"; there are {', '.join(groups)}" if groups else ""
            meant = suggestion(name, groups) or known
            raise Error(f"unknown brigade {quoted(name)}{meant}")
        units = {unit for each in tasks if each.group == group for unit in each.units}
        self._left = side, turn, self._left[2] | units
        return None if self._is_left(asked) else _AGAIN

    def _change_seats(self, battle: Battle, side: int) -> None:
        """Clear the screen and wait until the players have changed seats."""
        name = battle.setup.sides[side].name
        if self._fog and len(self._game.people) > 1:
            others = (battle.setup.sides[row].name for row in sorted(self._game.people - {side}))
            if sys.stdout.isatty():
                clear_screen()
            echo(f"\n{', '.join(others)}: look away. {name}: press Enter.")
            _line()
        self._seated = side

    def _put(self, asked: PendingDecision, offered: tuple[Order, ...]) -> None:
        battle, decision = asked.battle, asked.decision
        question = battle.system.question(battle, decision)
        now = decision.asks, battle.state.turn, decision.side
        repeated = now == self._put_last and decision.asks == ASKS_FOR_PLAN
        self._put_last = now
        turn = f"Turn {battle.state.turn}" if battle.state.turn else "Before the first turn"
        echo(f"\n{turn}. {question} ({decision.asks})")
        for number, order in enumerate(offered, 1):
            # The list of missions is long, and the player has just seen it.
            if order.verb != MISSION or not repeated:
                echo(f"{number:>4}  {battle.system.phrase(battle, order)}")
        if repeated:
            echo("      and the missions as listed above")
        echo(f"{SHORT}: ", nl=False)

    def _answer(
        self, asked: PendingDecision, offered: tuple[Order, ...], line: str
    ) -> Order | None:
        """Return the order in a line; `_AGAIN` if it is not an answer."""
        word, _, rest = line.partition(" ")
        if word.isdecimal():
            return _numbered(offered, word)
        if line.startswith("{"):
            return _checked(asked, _written(line))
        if word in _LEAVING:
            raise PlayerLeftError
        told = {
            "odds": lambda: _odds(asked, offered, rest),
            "units": lambda: self._units(asked),
            "look": lambda: self._look(asked, rest),
            "help": lambda: HELP,
            "": lambda: SHORT,
        }.get(word)
        if told is not None:
            echo(told())
            return _AGAIN
        if word == MISSION and rest and asked.decision.asks == ASKS_FOR_PLAN:
            return _checked(asked, Order(verb=MISSION, words=rest))
        if word == "undo":
            self._undo(asked)
        leaving = {"rest": self._leave, "routine": self._give_routine}.get(word)
        if leaving is not None:
            return leaving(asked, rest)
        return None if word == "doctrine" else _checked(asked, _to_place(asked, line))

    def _give_routine(self, asked: PendingDecision, words: str) -> Order | None:
        """Give a unit a routine order; return its answer, or `_AGAIN` if it has none."""
        routine, name = routine_from_words(words)
        setup, units = asked.battle.setup, asked.battle.state.units
        own = {
            setup.units[row].name: row
            for row in used_rows(asked.battle)
            if units.integer("side", row) == asked.decision.side
        }
        unit = own.get(name) if name else asked.decision.unit
        if unit is None:
            known = suggestion(name, own) if name else ""
            raise Error(f"routine: expected the name of a unit of yours{known or ' at its end'}")
        self._game.give_routine(asked.decision.side, (unit,), routine)
        words = "ends its routine order" if routine is None else f"{routine}, until changed"
        echo(f"  {setup.units[unit].name}: {words}")
        answer = self._game.routines.answer(asked)
        return _AGAIN if answer is None else answer

    def _undo(self, asked: PendingDecision) -> None:
        number = self._game.choice_before(asked.number)
        if number is None:
            raise Error("there is no order to undo")
        self._game.take_back(number)
        raise OrderUndoneError

    def _seen(self, asked: PendingDecision) -> tuple[Battle, tuple[int, ...]]:
        """Return the battle as the side knows it, and the units that it does not know."""
        if not self._fog:
            return self._game.battle, ()
        true = self._game.battle
        return asked.battle, true.system.hidden_from(true, asked.decision.side)

    def _units(self, asked: PendingDecision) -> str:
        """Return the objectives, and the units on the field that the side knows of."""
        battle, hidden = self._seen(asked)
        units = battle.state.units
        rows = [
            row
            for row in range(len(units))
            if units.value("present", row) and units.value("members", row) and row not in hidden
        ]
        wide = max((len(battle.setup.units[row].name) for row in rows), default=0)
        objectives = [
            f"  {each.name:<{wide}}  {each.text}, {_place_words(battle, each.at)}"
            for each in battle.system.objectives(battle)
        ]
        return "\n".join(
            objectives
            + [
                f"  {battle.setup.units[row].name:<{wide}}"
                f"  {battle.setup.sides[units.integer('side', row)].name},"
                f" {units.integer('members', row)} {_position(battle, row)}"
                f" facing {format_value(degrees_of(units.integer('facing', row)))}"
                for row in rows
            ]
        )

    def _look(self, asked: PendingDecision, name: str) -> str:
        """Return the card of a unit."""
        battle, hidden = self._seen(asked)
        units = battle.setup.units
        known = {units[row].name: row for row in used_rows(battle) if row not in hidden}
        if name not in known:
            raise Error(f"look: expected one of {', '.join(known)}")
        rows = card_seen_by(battle, known[name], asked.decision.side)
        return "\n".join(f"  {label}: {value}" for label, value in rows)


_AGAIN = Order(verb="")
"""Marker for a line without an answer."""

_DIGITS = 9
"""Maximum number of digits in an order."""

_LEAVING = {"quit", "exit"}


def _line() -> str:
    """Return one line of input; raise LeftError at the end of input."""
    heed()
    line = sys.stdin.readline()
    if not line:
        echo("\nEnd of input: the game ends here.")
        raise PlayerLeftError
    return " ".join(line.split())


def _numbered(offered: tuple[Order, ...], word: str) -> Order:
    if not 1 <= int(word) <= len(offered):
        raise Error(f"there are the orders 1 to {len(offered)}")
    return offered[int(word) - 1]


def _written(line: str) -> Order:
    try:
        return order_from_json(json.loads(line))
    except (json.JSONDecodeError, RecursionError) as flaw:
        raise Error(f"that is not an order: {flaw}") from None
    except ValueError as flaw:
        raise Error(f"that is {flaw}") from None


def _checked(asked: PendingDecision, order: Order) -> Order:
    refusal = refusal_of(asked.decision, order)
    if refusal is not None:
        raise Error(f"illegal order: {refusal}")
    return order


def _to_place(asked: PendingDecision, line: str) -> Order:
    """Return the order from a verb and a point, or from a verb, a number and a word."""
    system, battle, decision = asked.battle.system, asked.battle, asked.decision
    verbs = system.pointed(battle, decision)
    words = line.split()
    # A verb can have several words, such as "move all" besides "move".
    begins = [verb for verb in verbs if words[: len(verb.split())] == verb.split()]
    verb = max(begins, key=len, default=words[0])
    numbers = words[len(verb.split()) :]
    if verb not in verbs and (counted := _counted(decision, line)) is not None:
        return counted
    if verb not in verbs:
        known = f", or one of {', '.join(verbs)} with a point" if verbs else ""
        raise Error(f"unknown answer {quoted(verb)}; expected a number{known}, or help")
    place, facing = _place_in(battle.setup.field, verb, numbers)
    order = system.order_to(battle, decision, verb, place, facing)
    if order is None:
        raise Error("no path leads there")
    return order


def _position(battle: Battle, row: int) -> str:
    """Return the position of a unit: "in 12,5" for a tile, "at 60, 30" for a point."""
    units, middle = battle.state.units, places_of(battle.state, row).mean(axis=0)
    at = float(units.value("x", row)), float(units.value("y", row))
    return _place_words(battle, at, (float(middle[0]), float(middle[1])))


def _place_words(battle: Battle, at: Place, middle: Place | None = None) -> str:
    """Return a point in words, or the tile that contains it."""
    tile = tile_name_at(battle.setup.field, middle or at)
    return f"in {tile}" if tile else f"at {', '.join(map(format_value, at))}"


def _place_in(field: Field, verb: str, words: list[str]) -> tuple[tuple[float, float], int | None]:
    """Parse the point and the facing, if any, after a verb: X Y [DEG] or Q,R [DEG].

    Raises Error for other words, or for a tile off the board.
    """
    needs = f"{verb} X Y, in GSU east and north"
    try:
        if field.cells == "none":
            x, y, *facing = (float(word) for word in words)
        else:
            needs = f"{verb} Q,R, a tile such as 12,5"
            tile, *degrees = words
            x, y = centre_of_named_tile(field, tile)
            facing = [float(word) for word in degrees]
        towards = facing_of_degrees(facing[0]) if facing else None
    except (ValueError, OverflowError) as flaw:
        told = f": {flaw}" if "off the board" in str(flaw) else ""
        raise Error(f"{verb} needs a point: {needs}{told}") from None
    return (x, y), towards


def _counted(decision: Decision, line: str) -> Order | None:
    """Return the order from a verb with a number and a word; None if it has none."""
    verb, _, rest = line.partition(" ")
    number, _, words = rest.partition(" ")
    offered = {option.verb for option in decision.options if option.number is not None}
    if verb not in offered or not number.isdecimal() or len(number) > _DIGITS:
        return None
    return Order(verb=verb, unit=decision.unit, number=int(number), words=words)


def _odds(asked: PendingDecision, offered: tuple[Order, ...], word: str) -> str:
    if not word.isdecimal():
        raise Error("odds: expected the number of an order")
    system, order = asked.battle.system, _numbered(offered, word)
    odds = system.odds_of(asked.battle, order)
    return "  this order has no odds" if odds is None else f"  {odds.text}"
