"""Rules behind slugs and the lines of the log, at the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event
from emlia3d.battle.no_rules import NoRules
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.cli.rules.pages import rule_page
from emlia3d.view.panda.app import App
from emlia3d.view.rules import RulePage, Rules
from tests.view.panda.window_driver import Hand, opened

PAGE = RulePage(
    title="Fire",
    paragraphs=("Shooters roll a die each. " * 12,) * 3,
    rows=(("modifier", "-2"), ("book", "chapter 3 Fire")),
)


def _book(slug: str) -> RulePage | None:
    return PAGE if slug == "nobody.fire" else None


@pytest.fixture(params=[(1280, 720), (1920, 1080)])
def app(
    request: pytest.FixtureRequest, setup: Setup, start: State, story: tuple[Event, ...]
) -> Iterator[App]:
    rules = Rules(Battle(setup, NoRules(), seed=0), _book)
    app = opened(setup, start, story, rules=rules, size=request.param)
    app.viewer.playback.seek(4)
    app.step(0.0)
    yield app
    app.close()


@pytest.fixture
def words(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log line for every event: without rules there are no words."""
    monkeypatch.setattr(app.viewer.news, "words", lambda event, state: event.facts.event_name)
    app.viewer.news._told.clear()
    app.viewer.news._known = None
    app.step(0.0)


def _written(app: App) -> str:
    return " ".join(text.text for text in app._mouse.layout.texts)


@pytest.mark.usefixtures("words")
def test_pointing_at_a_slug_shows_its_rule(app: App) -> None:
    rect = dict(app._mouse.layout.buttons)["rule:nobody.fire"]

    Hand(app).point(rect.x + 3, rect.y + 3)
    app.step(0.0)

    assert "chapter 3 Fire" in _written(app)


@pytest.mark.usefixtures("words")
def test_a_pressed_slug_stays_open_until_escape(app: App) -> None:
    hand = Hand(app)
    hand.click_button("rule:nobody.fire")

    hand.point(app.size[0] / 2, app.size[1] / 2)
    app.step(0.0)
    there = "chapter 3 Fire" in _written(app)
    hand.press("escape")
    app.step(0.0)

    assert there
    assert "chapter 3 Fire" not in _written(app)


@pytest.mark.usefixtures("words")
def test_the_rule_lies_in_the_window_and_over_no_other_panel(app: App) -> None:
    before = len(app._mouse.layout.panels)
    Hand(app).click_button("rule:nobody.fire")
    app.step(0.0)

    panels = app._mouse.layout.panels
    card, others = panels[-1], panels[:-1]
    assert len(panels) == before + 1
    assert card.x >= 0
    assert card.y >= 0
    for other in others:
        apart = (
            other.x >= card.x + card.w
            or card.x >= other.x + other.w
            or other.y >= card.y + card.h
            or card.y >= other.y + other.h
        )
        assert apart


@pytest.mark.usefixtures("words")
def test_a_slug_without_an_entry_says_so(app: App) -> None:
    Hand(app).click_button("rule:nobody.fire.short")
    app.step(0.0)

    assert "No entry of this name." in _written(app)


@pytest.mark.usefixtures("words")
def test_a_click_on_a_line_of_the_log_goes_there(app: App) -> None:
    app.steering.look_at(10.0, 10.0)

    Hand(app).click_button("news:4")

    x, y, _ = app.steering.rig.target
    assert np.hypot(x - 120, y - 60) < 40, "between the archers and the bandits"


def test_the_page_of_a_rule_has_its_summary_figures_and_chapter() -> None:
    page = rule_page("emlia.fire.mod.outside-short")

    assert page is not None
    assert page.title == "Aimed fire beyond short range"
    assert ("modifier", "-2") in page.rows
    assert ("book", "chapter 14 Primary actions") in page.rows
    assert page.paragraphs


def test_there_is_no_page_of_a_slug_that_no_catalogue_has() -> None:
    assert rule_page("emlia.no-such-rule") is None
    assert rule_page("nobody.fire") is None
