"""The card of a rule at every size of window and text: inside it, and over no other panel."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.no_rules import NoRules
from emlia3d.battle.setup import Setup
from emlia3d.view.layout.panel import Layout, Rect
from emlia3d.view.lookup.rule_lookup import RuleLookup
from emlia3d.view.lookup.rulecard import RuleCard
from emlia3d.view.rules import RulePage, Rules
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import LogLine
from tests.view.window.panels import ASKED, SIZES, STATUS, measure

PAGE = RulePage(
    title="Fire: modifier: " * 6,
    paragraphs=("word " * 120,) * 4,
    rows=(("book", "chapter 14 Primary actions"),) * 4,
)
NEWS = (LogLine(text="something happened " * 6, because=("nobody.fire.a.b.c",) * 9),) * 12
CARD = RuleCard(slug="nobody.fire", page=PAGE, pinned=True)


@pytest.mark.parametrize("sight", [None, ASKED], ids=["log", "sight"])
@pytest.mark.parametrize("text_size", [0.8, 1.0, 1.6])
@pytest.mark.parametrize("size", SIZES)
def test_the_card_is_in_the_window_and_over_no_other_panel(
    size: tuple[int, int], text_size: float, sight: SightCard | None
) -> None:
    status = replace(STATUS, news=NEWS, text_size=text_size, sight=sight, rule=CARD)

    found = layout(status, size, measure)

    (card,) = [panel for panel in found.panels if _holds_title(found, panel)]
    assert card.x >= 0
    assert card.y >= 0
    for other in found.panels:
        if other is not card:
            assert (
                other.x >= card.x + card.w
                or card.x >= other.x + other.w
                or other.y >= card.y + card.h
                or card.y >= other.y + other.h
            )


def _holds_title(found: Layout, panel: Rect) -> bool:
    (title,) = [text for text in found.texts if text.text == "nobody.fire"]
    return panel.holds(title.x, title.y)


def test_a_page_is_read_once_however_often_it_is_drawn(setup: Setup) -> None:
    read: list[str] = []

    def page(slug: str) -> RulePage:
        read.append(slug)
        return RulePage(title=slug, paragraphs=(), rows=())

    lookup = RuleLookup(Rules(Battle(setup, NoRules(), seed=0), page))
    cards = []
    for button in ("rule:nobody.move", "", "rule:nobody.fire", "rule:nobody.move"):
        if button:
            lookup.press(button)
        cards += [lookup.card(), lookup.card()]

    assert read == ["nobody.move", "nobody.fire", "nobody.move"]
    assert [card.slug for card in cards if card] == [
        *["nobody.move"] * 4,
        *["nobody.fire"] * 2,
        *["nobody.move"] * 2,
    ]
