"""The sight tool: who is chosen for what, and what is asked of which moment."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.sight.sighttool import SightTool
from emlia3d.view.window.viewer import Viewer
from tests.view.ruled import ruled
from tests.view.sight.sight_oracle import answer_of

ARCHERS, BANDITS, DRAGON = 0, 1, 2


class Judge:
    """Answers, and keeps what it was asked."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.asked: list[tuple[int, int, float]] = []

    def __call__(self, observer: int, target: int, damage: int, state: State) -> SightAnswer:
        self.asked.append((observer, target, float(state.units.value("y", ARCHERS))))
        return answer_of(self.setup, observer, target)


@pytest.fixture
def judge(setup: Setup) -> Judge:
    return Judge(setup)


@pytest.fixture
def tool(setup: Setup, judge: Judge) -> SightTool:
    tool = SightTool(setup, ruled(setup, sight=judge))
    tool.open()
    return tool


def test_the_first_who_is_chosen_looks_and_the_others_are_looked_at(tool: SightTool) -> None:
    for unit in (ARCHERS, BANDITS, DRAGON):
        tool.pick(unit)

    assert (tool.observer, tool.target) == (ARCHERS, DRAGON)


def test_a_unit_chosen_before_is_the_one_who_looks(setup: Setup, judge: Judge) -> None:
    tool = SightTool(setup, ruled(setup, sight=judge))
    tool.open(DRAGON)
    tool.pick(ARCHERS)

    assert (tool.observer, tool.target) == (DRAGON, ARCHERS)


def test_a_click_beside_all_units_changes_nothing(tool: SightTool, start: State) -> None:
    tool.pick(ARCHERS)
    tool.pick(None)

    assert (tool.observer, tool.target) == (ARCHERS, None)


def test_nobody_looks_at_himself(tool: SightTool) -> None:
    tool.pick(ARCHERS)
    tool.pick(ARCHERS)

    assert tool.target is None


def test_keys_alone_choose_both(tool: SightTool, start: State) -> None:
    tool.pick_next(start, 1)
    tool.pick_next(start, 1)
    tool.other_role()
    found = []
    for _ in range(3):
        tool.pick_next(start, 1)
        found.append((tool.observer, tool.target))

    assert found == [(BANDITS, ARCHERS), (BANDITS, DRAGON), (BANDITS, ARCHERS)]


def test_exchanging_asks_it_the_other_way_round(
    tool: SightTool, judge: Judge, start: State
) -> None:
    tool.pick(ARCHERS)
    tool.pick(BANDITS)
    tool.look(start, 0)
    tool.exchange()
    tool.look(start, 0)

    assert [asked[:2] for asked in judge.asked] == [(ARCHERS, BANDITS), (BANDITS, ARCHERS)]


def test_nothing_is_asked_twice_of_one_moment(tool: SightTool, judge: Judge, start: State) -> None:
    tool.pick(ARCHERS)
    tool.pick(BANDITS)

    assert tool.look(start, 0) is tool.look(start, 0)
    assert len(judge.asked) == 1


def test_the_question_is_about_the_moment_that_is_shown(
    setup: Setup, start: State, story: tuple[Event, ...], judge: Judge
) -> None:
    viewer = Viewer(setup, start, story, rules=ruled(setup, sight=judge))
    viewer.toggle_tool()
    viewer.select(ARCHERS)
    viewer.select(BANDITS)
    for step in (0, 4, 0):
        viewer.playback.seek(step)
        viewer.status()

    assert [asked[2] for asked in judge.asked] == [12.0, 20.0, 12.0]


def test_who_has_left_the_field_sees_nothing_more(
    setup: Setup, start: State, story: tuple[Event, ...], judge: Judge
) -> None:
    viewer = Viewer(setup, start, story, rules=ruled(setup, sight=judge))
    viewer.toggle_tool()
    viewer.select(BANDITS)
    viewer.select(ARCHERS)
    viewer.playback.seek(7)

    card = viewer.status().sight
    assert card is not None
    assert card.note == "bandits is not on the field at this moment"
    assert not judge.asked


def test_an_answer_is_told_with_its_figures_and_its_rules(tool: SightTool, start: State) -> None:
    tool.pick(ARCHERS)
    tool.pick(BANDITS)
    card = tool.look(start, 0).card

    assert (card.observer, card.target) == (("archers", "#2a5caa"), ("bandits", "#b03030"))
    assert (card.verdict, card.degree) == ("not seen", "total")
    assert ("distance", "35 GSU, 70 m") in card.rows
    assert ("rock", "100% of the width, total concealment") in card.rows
    assert card.text == "The rock is in the way."
    assert card.because == ("nobody.sight",)


def test_a_question_that_the_rules_refuse_is_told_in_a_line(setup: Setup, start: State) -> None:
    def refuse(observer: int, target: int, damage: int, state: State) -> SightAnswer:
        raise Error("nobody can tell")

    tool = SightTool(setup, ruled(setup, sight=refuse))
    tool.open(ARCHERS)
    tool.pick(BANDITS)

    sight = tool.look(start, 0)

    assert sight.card.note == "nobody can tell"
    assert sight.sight_overlay.overlays == ()


def test_escape_puts_the_tool_away_before_the_choice(
    setup: Setup, start: State, story: tuple[Event, ...], judge: Judge
) -> None:
    viewer = Viewer(setup, start, story, rules=ruled(setup, sight=judge))
    viewer.select(DRAGON)
    viewer.toggle_tool()

    viewer.dismiss()
    assert (viewer.tool.active, viewer.selected) == (False, DRAGON)
    viewer.dismiss()
    assert viewer.selected is None
