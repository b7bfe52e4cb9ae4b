"""Order entry in the window: the player selects, points, changes and gives orders."""

from __future__ import annotations

from collections.abc import Callable, Collection

from emlia3d.battle.commanders import PLAN
from emlia3d.battle.decisions import Order
from emlia3d.battle.formatting import rounded
from emlia3d.battle.questions.order_kinds import KIND_LETTERS, KIND_WORDS, ORDER_KINDS, OrderKind
from emlia3d.battle.questions.routines import Routine
from emlia3d.battle.setup import Setup
from emlia3d.view.actions.key_names import ALT
from emlia3d.view.orders.background_odds import BackgroundOdds
from emlia3d.view.orders.game_thread import GameThread, QuestionSheet
from emlia3d.view.orders.order_in_hand import OrderInHand
from emlia3d.view.orders.order_menu import OrderMenu
from emlia3d.view.orders.ordercard import Curtain, OrderCard

WAIT = "The battle begins."

BUTTONS = ("give", "back", "undo", "doctrine")
"""Buttons for actions other than the selection of an order."""


class OrderEntry:
    """Order entry at the window, for one player after another.

    side : the player's side, None without a player
    eyes : the side whose picture is shown, None for everything
    sheet : the question shown; None without one
    hand : the selected order, which a point on the ground completes
    """

    def __init__(self, setup: Setup, game_thread: GameThread) -> None:
        self._setup = setup
        self.thread = game_thread
        people = sorted(game_thread.game.people)
        self.side: int | None = people[0] if len(people) == 1 or not game_thread.fog else None
        self.eyes = people[0]
        self.sheet: QuestionSheet | None = None
        self.curtain: Curtain | None = None
        if self.side is None:
            self.curtain = Curtain(text=WAIT, colour=setup.sides[self.eyes].colour)
        self.notice = ""
        self._background_odds = BackgroundOdds()
        self.hand = OrderInHand(setup, self._background_odds)
        self._menu = OrderMenu((), (), None)

    @property
    def waiting(self) -> QuestionSheet | None:
        """The open question, visible or not."""
        return self.thread.sheet

    @property
    def order(self) -> Order | None:
        """The selected order."""
        return self.hand.order

    def attend(self, sheet: QuestionSheet) -> bool:
        """Show a question after all earlier events; return whether it is new."""
        if self.sheet is sheet or (self.curtain is not None and self.side is not None):
            return False
        if sheet.side != self.side and self.thread.fog and len(self.thread.game.people) > 1:
            looks = self._setup.sides[sheet.side]
            others = [
                side.name
                for row, side in enumerate(self._setup.sides)
                if row in self.thread.game.people and row != sheet.side
            ]
            text = f"{', '.join(others)}: look away. {looks.name}: press Space."
            self.curtain = Curtain(text=text, colour=looks.colour, may_be_lifted=True)
            return False
        self._sit(sheet)
        return True

    def lift(self) -> None:
        """Show the field again for the next player."""
        if self.waiting is not None and self.curtain is not None and self.curtain.may_be_lifted:
            self.curtain = None
            self.side = self.eyes = self.waiting.side

    def rise(self) -> None:
        """Remove the question."""
        self.sheet = None
        self.hand.begin(None)

    def _sit(self, sheet: QuestionSheet) -> None:
        self.sheet, self.side = sheet, sheet.side
        self._menu = OrderMenu(sheet.phrases, sheet.kinds, sheet.orders.index(sheet.advice))
        self.hand.begin(sheet)
        if sheet.orders[0].verb == PLAN:
            # The proposed plan is selected at once, so that the field shows it.
            self.hand.take(sheet.orders[0])

    # Actions of keys and clicks

    def lift_by(self, key: str) -> None:
        """Press a key while the curtain hides the field; Space or Enter lifts it."""
        if key in {"space", "enter"}:
            self.lift()

    def key(self, name: str) -> bool:
        """Press a digit or a letter; return whether the orders use it.

        1 to 9 select lines, and 0 shows more. A letter with Alt opens the orders of its kind.
        """
        if self.sheet is None:
            return False
        if name.startswith(ALT):
            letter = name.removeprefix(ALT).upper()
            kind = next((kind for kind in ORDER_KINDS if KIND_LETTERS[kind] == letter), None)
            return kind is not None and self._open(kind)
        if not name.isdecimal():
            return False
        if name == "0":
            self.next_page()
        else:
            self.choose(int(name) - 1)
        return True

    def act(self, name: str) -> bool:
        """Carry out an action of the orders by its name; return whether it is available."""
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
            "leave_order": self.thread.leave_to_doctrine,
            "leave_turn": lambda: self.thread.leave_to_doctrine(to_turns_end=True),
            "next_kind": self.hand.next_verb,
            "face_left": lambda: self.hand.turn(-1),
            "face_right": lambda: self.hand.turn(1),
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
                "doctrine": self.thread.leave_to_doctrine,
            }[button]()

    def choose(self, row: int) -> None:
        """Select the order of a line, or give it if it is selected, or open the kind of a line."""
        shown = self._menu.lines()
        if self.sheet is None or row >= len(shown):
            return
        line = shown[row]
        if line.order is None:
            self._open(line.kind)
            return
        order = self.sheet.orders[line.order]
        if order == self.order:
            self.give()
        else:
            self.hand.take(order)

    def _open(self, kind: OrderKind) -> bool:
        """Show the orders of a kind, and point with their verb; return whether any exist."""
        sheet = self.sheet
        if sheet is None or not self._menu.open(kind):
            return False
        verbs = [
            order.verb for order, own in zip(sheet.orders, sheet.kinds, strict=True) if own == kind
        ]
        pointed = [verb for verb in sheet.pointed if verb in verbs]
        if pointed and self.hand.verb not in pointed:
            self.hand.point_with(pointed[0], None)
        return True

    def next_page(self) -> None:
        """Show the next page, or the first after the last."""
        self._menu.turn_page()

    def concerning(self, unit: int) -> list[int]:
        """Return the rows of the orders that concern a unit."""
        if self.sheet is None:
            return []
        asked = self.sheet.unit
        orders = enumerate(self.sheet.orders)
        return [row for row, order in orders if _concerns(order, unit, asked)]

    def touch(self, unit: int) -> bool:
        """Show the orders that concern a clicked unit; return whether there are any."""
        mine = self.concerning(unit)
        if not mine:
            return False
        self._menu.show_only(mine)
        self.take(mine[0])
        return True

    def take(self, row: int) -> None:
        """Select an order by its row."""
        if self.sheet is not None:
            self.hand.take(self.sheet.orders[row])

    def give_routine(self, units: Collection[int], routine: Routine | None) -> None:
        """Give units a routine order; None ends their routine orders."""
        self.notice = "you are asked again" if routine is None else f"until changed: {routine}"
        if self.sheet is not None and self.sheet.unit in {None, *units}:
            self.rise()
        self.thread.give_routine(units, routine)

    def give(self) -> None:
        """Give the selected order if it is legal."""
        order = self.order
        if order is not None and not self.hand.refusal and self.sheet is not None:
            self.rise()
            self.thread.give(order)

    def back(self) -> bool:
        """Clear the selection, or show all orders again; return whether anything changed."""
        if self.order is None and not self.hand.refusal:
            if not self._menu.back():
                return False
            self.hand.begin(self.sheet)
            return True
        self.hand.drop()
        self._menu.back()
        return True

    def undo(self) -> None:
        """Undo the last order of a player."""
        self.notice = "undone" if self.thread.take_back() else "nothing to undo"

    def close(self) -> None:
        """End the game."""
        self._background_odds.close()
        self.thread.leave()

    def card(self) -> OrderCard | None:
        """Return the question and its orders; None without a question."""
        sheet = self.sheet
        if sheet is None:
            return None
        menu, verb = self._menu, self.hand.verb
        lines = menu.lines()
        on_offer = [None if line.order is None else sheet.orders[line.order] for line in lines]
        in_hand = self.order
        advised = in_hand is not None and in_hand == sheet.advice
        return OrderCard(
            turning=self.hand.turning,
            question=sheet.text,
            asks=sheet.question.decision.asks,
            colour=self._setup.sides[sheet.side].colour,
            lines=lines,
            chosen=on_offer.index(in_hand) if in_hand in on_offer and in_hand else None,
            part=f"{KIND_WORDS[menu.kind]} (Esc: all)" if menu.kind is not None else "",
            pages=f"0: more, {menu.page + 1} of {menu.pages}" if menu.pages > 1 else "",
            hint=f"Click on the ground: {verb.replace('-', ' ')}" if verb else "",
            in_hand=self._words(sheet),
            why=sheet.advice.why if advised else "",
            refusal=self.hand.refusal,
            odds=self._odds(sheet),
        )

    def _words(self, sheet: QuestionSheet) -> str:
        if self.order is None:
            return ""
        if self.order in sheet.orders:
            return sheet.phrases[sheet.orders.index(self.order)]
        battle = sheet.question.battle
        return rounded(battle.system.phrase(battle, self.order))

    def _odds(self, sheet: QuestionSheet) -> str:
        if self.order is None or self.hand.refusal or self.order.legs:
            return ""
        return self._background_odds.odds(sheet, self.order)


def _concerns(order: Order, unit: int, asked: int | None) -> bool:
    """Return whether an order is about a unit.

    The unit is its target or takes part in it; in a question without a unit, it can also be the
    actor.
    """
    if asked is None:
        return unit in order.actors
    return unit != asked and (unit == order.target or unit in order.units)
