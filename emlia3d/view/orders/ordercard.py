"""The card of a question: the legal orders, the order in hand, and why not."""

from __future__ import annotations

from dataclasses import dataclass

from emlia3d.view.orders.order_menu import MenuLine


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCard:
    """A question over the picture.

    asks : the slug of the rule that asks; colour : of the side that is asked, "#rrggbb"
    lines : at most nine, selected by the digits; chosen : the line of the order in hand
    part : the part of the orders that is shown, "" for all
    pages : in words, "" if there is only one
    hint : the order that a click on the ground gives
    in_hand : the order in hand, in words; why : the reason for it, if the AI advises it
    turning : the effect of the keys for facing; "" if they have none
    refusal : why it may not be given; odds : in a line
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
    """Hides the field while people change seats; may_be_lifted : the next player is there."""

    text: str
    colour: str
    may_be_lifted: bool = False
