"""The card of a question: the legal orders, the order in hand, and why not."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderCard:
    """A question over the picture.

    asks : the slug of the rule that asks; colour : of the side that is asked, "#rrggbb"
    lines : the orders of a page, each with the key that takes it; chosen : which one is in hand
    pages : in words, "" where there is but one
    hint : what a click on the ground would do
    in_hand : the order in hand, in words; refusal : why it may not be given; odds : in a line
    """

    question: str
    asks: str
    colour: str
    lines: tuple[tuple[str, str], ...]
    chosen: int | None = None
    pages: str = ""
    hint: str = ""
    in_hand: str = ""
    refusal: str = ""
    odds: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curtain:
    """Hides the field while people change seats; may_be_lifted : the next player is there."""

    text: str
    colour: str
    may_be_lifted: bool = False
