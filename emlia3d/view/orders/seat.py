"""Someone at the window who is asked for orders: picks, points, thinks better, gives them."""

from __future__ import annotations

from collections.abc import Callable

from emlia3d.battle.commanders import PLAN
from emlia3d.battle.decisions import Order
from emlia3d.battle.questions.options import Place, refusal_of
from emlia3d.battle.questions.order_kinds import KIND_LETTERS, KIND_WORDS, ORDER_KINDS
from emlia3d.battle.setup import Setup
from emlia3d.battle.words import rounded
from emlia3d.force.facing import FULL_CIRCLE
from emlia3d.view.actions.key_names import CONTROL
from emlia3d.view.orders.consult import BackgroundOdds
from emlia3d.view.orders.desk import GameThread, QuestionSheet
from emlia3d.view.orders.ghost import exhibit_of
from emlia3d.view.orders.order_menu import OrderMenu
from emlia3d.view.orders.ordercard import Curtain, OrderCard
from emlia3d.view.sight.exhibit import SightOverlay

STEP = 15 * 64
"""Angle by which a key turns the unit at the end of its move, 64ths of a degree."""

WAIT = "The battle begins."

BUTTONS = ("give", "back", "undo", "doctrine")
"""Actions on an order besides selecting it."""


class OrderEntry:
    """A player's seat; people may change in it.

    side : the player's side, None while empty
    eyes : the side whose picture is shown, if not everything
    sheet : the question shown; None without one
    """

    def __init__(self, setup: Setup, desk: GameThread) -> None:
        self._setup = setup
        self.desk = desk
        people = sorted(desk.game.people)
        self.side: int | None = people[0] if len(people) == 1 or not desk.fog else None
        self.eyes = people[0]
        self.sheet: QuestionSheet | None = None
        self.curtain: Curtain | None = None
        if self.side is None:
            self.curtain = Curtain(text=WAIT, colour=setup.sides[self.eyes].colour)
        self.notice = ""
        self._consult = BackgroundOdds()
        self._order: Order | None = None
        self._refusal = ""
        self._verb = ""
        self._place: Place | None = None
        self._facing: int | None = None
        self._menu = OrderMenu((), (), None)
        self._exhibit: SightOverlay | None = None
        self._reach: tuple[Place, ...] = ()

    @property
    def waiting(self) -> QuestionSheet | None:
        """The question that waits, seen or not."""
        return self.desk.sheet

    @property
    def order(self) -> Order | None:
        """The order in hand."""
        return self._order

    def attend(self, sheet: QuestionSheet) -> bool:
        """Show a question after all earlier events; return whether it is new."""
        if self.sheet is sheet or (self.curtain is not None and self.side is not None):
            return False
        if sheet.side != self.side and self.desk.fog and len(self.desk.game.people) > 1:
            looks = self._setup.sides[sheet.side]
            others = [
                side.name
                for row, side in enumerate(self._setup.sides)
                if row in self.desk.game.people and row != sheet.side
            ]
            text = f"{', '.join(others)}: look away. {looks.name}: sit down and press Space."
            self.curtain = Curtain(text=text, colour=looks.colour, may_be_lifted=True)
            return False
        self._sit(sheet)
        return True

    def lift(self) -> None:
        """Show the field again: the next player has sat down."""
        if self.waiting is not None and self.curtain is not None and self.curtain.may_be_lifted:
            self.curtain = None
            self.side = self.eyes = self.waiting.side

    def rise(self) -> None:
        """Nothing is asked any more."""
        self.sheet = None
        self._drop()

    def _sit(self, sheet: QuestionSheet) -> None:
        self.sheet, self.side = sheet, sheet.side
        self._menu = OrderMenu(sheet.phrases, sheet.kinds, sheet.orders.index(sheet.advice))
        self._verb = next(iter(sheet.pointed), "")
        self._drop()
        if sheet.orders[0].verb == PLAN:
            # The plan that is proposed is in hand at once, so that it is seen on the field.
            self._take(sheet.orders[0])

    def _drop(self) -> None:
        """Nothing is in hand."""
        self._order, self._refusal = None, ""
        self._place, self._facing = None, None
        self._exhibit = None

    # Actions of keys and clicks

    def lift_by(self, key: str) -> None:
        """Press a key while the curtain hides the field: Space or Enter lifts it."""
        if key in {"space", "enter"}:
            self.lift()

    def key(self, name: str) -> bool:
        """Press a digit or a letter; return whether it has a meaning for the orders.

        1 to 9 select lines, and 0 shows more. A letter with Control opens the orders of its kind.
        """
        if self.sheet is None:
            return False
        if name.startswith(CONTROL):
            letter = name.removeprefix(CONTROL).upper()
            kind = next((kind for kind in ORDER_KINDS if KIND_LETTERS[kind] == letter), None)
            return kind is not None and self._menu.open(kind)
        if not name.isdecimal():
            return False
        if name == "0":
            self.next_page()
        else:
            self.choose(int(name) - 1)
        return True

    def act(self, name: str) -> bool:
        """Do an action of the orders by its name; return whether it is one that can be done."""
        if name == "undo":
            self.undo()
            return True
        act = None if self.sheet is None else self._acts().get(name)
        if act is not None:
            act()
        return act is not None

    def _acts(self) -> dict[str, Callable[[], None]]:
        return {
            "give": self.give,
            "leave_order": self.desk.leave_to_doctrine,
            "leave_turn": lambda: self.desk.leave_to_doctrine(to_turns_end=True),
            "next_kind": self.next_verb,
            "face_left": lambda: self.turn(-STEP),
            "face_right": lambda: self.turn(STEP),
        }

    def press(self, button: str) -> None:
        """Press a button of the panel: "0" to "8" for its lines, or one of `BUTTONS`."""
        if button.isdecimal():
            self.choose(int(button))
        else:
            {
                "give": self.give,
                "back": self.back,
                "undo": self.undo,
                "doctrine": self.desk.leave_to_doctrine,
            }[button]()

    def choose(self, row: int) -> None:
        """Take the order of a line in hand; give it if it is; open the kind of a line."""
        shown = self._menu.lines()
        if self.sheet is None or row >= len(shown):
            return
        line = shown[row]
        if line.order is None:
            self._menu.open(line.kind)
            return
        order = self.sheet.orders[line.order]
        if order == self._order:
            self.give()
            return
        self._drop()
        self._take(order)

    def next_page(self) -> None:
        """Show the next lines, after the last the first."""
        self._menu.turn_page()

    def next_verb(self) -> None:
        """Point for another kind of order."""
        if self.sheet is not None and self.sheet.pointed:
            verbs = self.sheet.pointed
            at = verbs.index(self._verb) if self._verb in verbs else -1
            place = self._place
            self._verb = verbs[(at + 1) % len(verbs)]
            self._drop()
            if place is not None:
                self.point(place)

    def touch(self, unit: int) -> bool:
        """Return a unit is clicked on: the orders that concern it; whether there are any."""
        if self.sheet is None:
            return False
        orders = self.sheet.orders
        mine = [row for row, order in enumerate(orders) if _concerns(order, unit, self.sheet.unit)]
        if not mine:
            return False
        self._drop()
        self._menu.show_only(mine)
        self._take(orders[mine[0]])
        return True

    def point(self, place: Place) -> None:
        """Click on a place on the ground, GSU, and select the order that leads there."""
        sheet = self.sheet
        if sheet is None or not self._verb:
            return
        system, asked = sheet.question.battle.system, sheet.question
        self._place = place
        order = system.order_to(asked.battle, asked.decision, self._verb, place, self._facing)
        if order is None:
            self._order, self._exhibit = None, None
            self._refusal = "no way leads there"
        else:
            self._take(order)

    def turn(self, by: int) -> None:
        """Have the unit end its move turned a step farther."""
        sheet = self.sheet
        if sheet is None or self._verb not in sheet.pointed:
            return
        units = sheet.question.battle.state.units
        row = sheet.unit
        assert row is not None, "a pointed order concerns a unit"
        legs = () if self._order is None else self._order.legs
        facing = legs[-1].facing if legs else units.integer("facing", row)
        self._facing = (facing + by) % FULL_CIRCLE
        here = float(units.value("x", row)), float(units.value("y", row))
        self.point(here if self._place is None else self._place)

    def give(self) -> None:
        """Give the order in hand, if there is one and it may be given."""
        if self._order is not None and not self._refusal and self.sheet is not None:
            order = self._order
            self.rise()
            self.desk.give(order)

    def back(self) -> bool:
        """Put down what is in hand, or see all orders again; whether there was anything."""
        if self._order is None and not self._refusal:
            return self._menu.back()
        self._drop()
        self._menu.back()
        return True

    def undo(self) -> None:
        """Take back the last order of a person."""
        self.notice = "undone" if self.desk.take_back() else "nothing to undo"

    def close(self) -> None:
        """Leave the table."""
        self._consult.close()
        self.desk.leave()

    def _take(self, order: Order) -> None:
        assert self.sheet is not None
        self._order, self._exhibit = order, None
        self._refusal = refusal_of(self.sheet.question.decision, order) or ""

    # The overlay

    def exhibit(self) -> SightOverlay | None:
        """Return the overlay on the ground: the reach, the order's path and its end."""
        sheet = self.sheet
        if sheet is None:
            return None
        reach = self._consult.reach(sheet, self._verb) if self._verb else ()
        if self._exhibit is None or reach is not self._reach:
            self._reach = reach
            self._exhibit = exhibit_of(
                self._setup,
                sheet.question.battle.state,
                _units_of(sheet),
                reach,
                self._order,
                bool(self._refusal),
            )
        return self._exhibit

    def card(self) -> OrderCard | None:
        """Return the question and its orders; None while nothing is asked."""
        sheet = self.sheet
        if sheet is None:
            return None
        menu = self._menu
        lines = menu.lines()
        on_offer = [None if line.order is None else sheet.orders[line.order] for line in lines]
        in_hand = self._order
        advised = in_hand is not None and in_hand == sheet.advice
        return OrderCard(
            question=sheet.text,
            asks=sheet.question.decision.asks,
            colour=self._setup.sides[sheet.side].colour,
            lines=lines,
            chosen=on_offer.index(in_hand) if in_hand in on_offer and in_hand else None,
            part=f"{KIND_WORDS[menu.kind]} (Esc: all)" if menu.kind is not None else "",
            pages=f"0: more, {menu.page + 1} of {menu.pages}" if menu.pages > 1 else "",
            hint=f"Click on the ground: {self._verb.replace('-', ' ')}" if self._verb else "",
            in_hand=self._words(sheet),
            why=sheet.advice.why if advised else "",
            refusal=self._refusal,
            odds=self._odds(sheet),
        )

    def _words(self, sheet: QuestionSheet) -> str:
        if self._order is None:
            return ""
        if self._order in sheet.orders:
            return sheet.phrases[sheet.orders.index(self._order)]
        battle = sheet.question.battle
        return rounded(battle.system.phrase(battle, self._order))

    def _odds(self, sheet: QuestionSheet) -> str:
        if self._order is None or self._refusal or self._order.legs:
            return ""
        return self._consult.odds(sheet, self._order)


def _units_of(sheet: QuestionSheet) -> set[int]:
    """Return the unit of the question, or all units among which one must be chosen."""
    if sheet.unit is not None:
        return {sheet.unit}
    return {unit for order in sheet.orders for unit in order.actors}


def _concerns(order: Order, unit: int, asked: int | None) -> bool:
    """Return whether an order is about a unit.

    It is done to it or together with it; if no unit is asked about, the unit does it.
    """
    if asked is None:
        return unit in order.actors
    return unit != asked and (unit == order.target or unit in order.units)
