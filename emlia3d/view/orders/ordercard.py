"""The card of a question: the legal orders, the selected order and its refusal."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.view.orders.order_menu import MenuLine


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCard:
    """A question in the window.

    asks : the slug of the rule that asks; colour : of the side, "#rrggbb"
    lines : at most nine, selected by digits; chosen : the line of the selected order
    part : the visible part of the orders, "" for all
    pages : in words, "" if there is only one
    hint : the order that a click on the ground gives
    in_hand : the selected order in words; why : its reason, if the AI advises it
    turning : the effect of the keys for facing; "" if they have none
    refusal : why it is illegal; odds : as one line
    """

    question: str
    asks: str
    colour: str
    lines: tuple[MenuLine, ...]
    chosen: int | None = None
    part: str = ""
    pages: str = ""
    hint: str = ""
    in_hand: str = ""
    why: str = ""
    turning: str = ""
    refusal: str = ""
    odds: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curtain:
    """Curtain that hides the field while players change; may_be_lifted : for the next player."""

    text: str
    colour: str
    may_be_lifted: bool = False
