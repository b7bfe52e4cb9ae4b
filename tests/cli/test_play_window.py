"""Battles played in the window: on a picture buffer, with a mouse and keys that a test moves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.game import Game
from emlia3d.battle.log import BattleLog
from emlia3d.battle.record import read_record
from emlia3d.cli.drawing import referee_of
from emlia3d.cli.game_file import begun, taken_over
from emlia3d.cli.play import sat_down
from emlia3d.errors import DisplayError
from emlia3d.scenario import load
from emlia3d.view.orders.desk import Desk
from emlia3d.view.panda.app import App
from emlia3d.view.window.timeline import Timeline
from tests.view.panda.hand import Hand, opened

SIZE = (960, 540)
PATIENCE_S = 120.0


class Table:
    """A battle in a window, and whoever sits there."""

    def __init__(self, app: App, desk: Desk) -> None:
        self.app, self.desk = app, desk
        self.hand = Hand(app)
        self.asked = 0

    @property
    def seat(self):
        seat = self.app.viewer.seat
        assert seat is not None
        return seat

    def wait(self, until: Callable[[], bool] | None = None) -> None:
        """Let time go by until someone is asked, or a curtain falls, or something else is so."""
        so = until or (lambda: self.seat.sheet is not None or self.may_lift)
        end = time.monotonic() + PATIENCE_S
        while not so():
            assert time.monotonic() < end, "nobody is asked"
            assert not self.app.viewer.alarm, self.app.viewer.alarm
            self.app.step(0.5)
            time.sleep(0.001)
        self.app.step(0.0)

    @property
    def may_lift(self) -> bool:
        """Whether a curtain hides a question."""
        return self.seat.curtain is not None and self.seat.curtain.may_be_lifted

    def press(self, *keys: str) -> None:
        for key in keys:
            self.hand.press(key)

    @property
    def words(self) -> list[str]:
        card = self.app.viewer.status().orders
        assert card is not None
        return [text for _, text in card.lines]

    def orders(self) -> list[str]:
        """The verbs of those that stand in the file."""
        lines = read_record(self.desk.game.path).lines
        return [line.body["order"] for line in lines if "order" in line.body]


Sit = Callable[..., Table]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """Sit down to a scenario in a window."""
    tables: list[Table] = []

    def sit_down(name: str, *people: int, turns: int = 2, fog: bool = True) -> Table:
        file = tmp_path / f"{name}.battle.jsonl"
        battle = load(name).battle(3, turns)
        if not file.exists():
            begun(load(name), file, 3, turns)
        known, desk = sat_down(file, battle, people, fog=fog)
        try:
            app = App(
                battle.setup,
                battle.state,
                known,
                referee=referee_of(battle),
                desk=desk,
                offscreen=True,
                size=SIZE,
            )
        except DisplayError as flaw:
            desk.leave()
            pytest.skip(str(flaw))
        tables.append(Table(app, desk))
        app.viewer.playback.playing = True
        return tables[-1]

    yield sit_down
    for table in tables:
        table.app.close()


@pytest.fixture
def table(sit: Sit) -> Table:
    """Someone plays the archers, and is asked what they do."""
    table = sit("bandits", 0)
    table.wait()
    return table


def test_the_unit_that_is_asked_about_is_chosen_and_its_orders_are_listed(table: Table) -> None:
    status = table.app.viewer.status()

    assert status.card is not None
    assert status.card.name == "archers"
    assert table.words[0] == "stand and fire at raiders with Longbow"
    assert len(table.words) == 9


def test_an_order_is_taken_in_hand_and_given(table: Table) -> None:
    table.press("1")
    in_hand = table.app.viewer.status().orders
    table.press("enter")
    table.wait()

    assert in_hand is not None
    assert in_hand.in_hand == "stand and fire at raiders with Longbow"
    assert table.orders()[0] == "aim"


def test_all_pages_of_orders_are_reached_by_one_key(table: Table) -> None:
    first = table.words
    table.press("0")
    second = table.words
    table.press("0", "0", "0")

    assert not set(first) & set(second)
    assert table.words == first


def test_an_order_is_given_with_the_mouse_alone(table: Table) -> None:
    table.hand.click_button("order:1")
    table.hand.click_button("order:give")
    table.wait()

    assert table.orders()[0] == "fire"


def test_escape_puts_the_order_in_hand_down_again(table: Table) -> None:
    table.press("1", "escape", "enter")

    assert table.seat.order is None
    assert table.orders() == []


def test_a_click_on_the_ground_shows_where_the_unit_would_end(table: Table) -> None:
    exhibit = table.seat.exhibit()
    before = len(exhibit.marks)
    table.press("y")
    at = np.array([[60.0, 10.0, 0.0]])
    table.hand.click(*table.app._stage.project(at)[0])

    order = table.seat.order
    assert order is not None
    assert order.verb == "move"
    assert len(table.seat.exhibit().marks) > before
    table.press("enter")
    table.wait()
    assert table.orders()[0] == "move"


def test_a_click_on_an_enemy_shows_what_may_be_done_to_him(table: Table) -> None:
    names = [unit.name for unit in table.app._setup.units]

    table.app.viewer.click(names.index("raiders"), None)

    assert table.words
    assert all("raiders" in text for text in table.words)


def test_what_may_not_be_done_is_shown_with_its_rule_and_cannot_be_given(table: Table) -> None:
    table.app.viewer.click(None, (60.0, 16.0))
    table.press("i", "i", "i", "i", "i", "i")
    card = table.app.viewer.status().orders
    table.press("enter")

    assert card is not None
    assert "(emlia." in card.refusal
    assert table.orders() == []


def test_the_odds_of_an_attack_come_while_the_window_goes_on(table: Table) -> None:
    table.press("1")

    def told() -> bool:
        card = table.app.viewer.status().orders
        return card is not None and "10 dice at +1" in card.odds

    table.wait(told)


def test_an_order_is_taken_back_and_another_given(table: Table) -> None:
    before = table.app.viewer.timeline.count
    table.press("2", "enter")
    table.wait()
    table.press("z")
    table.wait(lambda: table.seat.sheet is not None and not table.orders())
    shown = table.app.viewer.timeline.count
    table.press("1", "enter")
    table.wait()

    assert shown == before
    assert table.orders()[0] == "aim"
    assert b'"back"' in table.desk.game.path.read_bytes()


def test_all_orders_since_the_moment_that_is_looked_at_are_taken_back(table: Table) -> None:
    before = table.app.viewer.timeline.count
    table.press("2", "enter")
    table.wait()
    table.press("l")
    table.wait()
    assert table.app.viewer.state.turn == 2

    table.press("space", "page_up", "page_up", "t")
    table.wait(lambda: table.seat.sheet is not None and not table.orders())

    assert table.app.viewer.timeline.count == before
    assert table.app.viewer.state.turn == 1
    table.press("t")
    assert table.orders() == []
    assert "no order" in table.app.viewer.status().notice


def test_the_doctrine_plays_the_turn_out_when_it_is_left_to_it(table: Table) -> None:
    table.press("l")
    table.wait()

    assert table.app.viewer.state.turn == 2


def test_one_may_look_back_and_is_asked_again_at_the_end(table: Table) -> None:
    table.press("page_up", ",")
    table.app.step(0.1)
    away = table.app.viewer.status().orders
    table.press("end")
    table.app.step(0.1)

    assert away is None
    assert table.app.viewer.status().orders is not None


def test_who_is_asked_may_ask_who_sees_whom_first(table: Table) -> None:
    names = [unit.name for unit in table.app._setup.units]
    table.press("v")
    table.app.viewer.click(names.index("raiders"), None)
    table.app.step(0.0)
    status = table.app.viewer.status()
    table.press("1", "escape")

    assert status.sight is not None
    assert (status.sight.observer[0], status.sight.target[0]) == ("archers", "raiders")
    assert status.sight.verdict
    assert table.seat.order is None, "keys are those of the tool while it is in hand"
    assert table.app.viewer.status().sight is None
    assert table.words


def test_the_tool_knows_no_enemy_of_whom_nobody_is_aware(table: Table) -> None:
    names = [unit.name for unit in table.app._setup.units]
    table.press("v")
    seen = set()
    for _ in names:
        table.press("n")
        seen.add(table.app.viewer.status().sight.target[0])

    assert "bandits" not in seen


def test_a_picture_of_the_question_is_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)

    table.press("1", "f12")

    assert (tmp_path / "emlia3d-1.png").is_file()
    image = table.app.image()
    panel = table.app._mouse.layout.panels[-2]
    spot = image[int(panel.y) + 20 : int(panel.y) + 60, 30:200]
    assert spot.max() > 180, "light letters"
    assert np.median(spot) < 90, "on dark glass"


def test_enemies_that_nobody_is_aware_of_are_not_in_the_picture(table: Table, sit: Sit) -> None:
    names = [unit.name for unit in table.app._setup.units]
    bandits = names.index("bandits")
    truth = table.app.viewer.timeline.moment(len(table.app.viewer.timeline))

    assert truth.units.value("present", bandits)
    assert not table.app.viewer.state.units.value("present", bandits)
    assert names.index("raiders") != bandits
    assert table.app.viewer.state.units.value("present", names.index("raiders"))


def test_without_fog_everybody_is_in_the_picture(sit: Sit) -> None:
    table = sit("bandits", 0, fog=False)
    table.wait()

    units = table.app.viewer.state.units
    assert units["present"][units.ints("strength") > 0].all()


def test_two_people_change_seats_behind_a_curtain(sit: Sit) -> None:
    table = sit("bandits", 0, 1, turns=1)
    table.wait()
    first = table.app.viewer.status().curtain
    dark = table.app.image()
    table.press("2", "y")
    table.press("space")
    table.wait()
    side = table.seat.side
    table.press("l")
    table.wait(lambda: table.may_lift)
    second = table.app.viewer.status().curtain

    assert first is not None
    assert second is not None
    assert first.text == "Bandits: look away. Militia: sit down and press Space."
    assert second.text == "Militia: look away. Bandits: sit down and press Space."
    assert side == 0
    assert np.ptp(dark[:100].astype(int), axis=(0, 1)).max() < 8, "nothing shows through"


def test_a_battle_played_to_its_end_is_on_disk_as_it_was_seen(table: Table) -> None:
    table.press("1", "enter")
    table.wait()
    while table.app.viewer.course.live:
        table.press("l")
        table.wait(lambda: table.seat.sheet is not None or not table.app.viewer.course.live)
    table.press("end")

    record = read_record(table.desk.game.path)
    assert record.result is not None
    battle = load("bandits").battle(3, 2)
    end = table.app.viewer.timeline
    whole = Timeline(battle.state, record.events())
    whole.close()
    assert end.moment(len(end)).key_frame() == whole.moment(len(whole)).key_frame()


def test_an_order_is_taken_back_after_the_battle_is_over(sit: Sit) -> None:
    table = sit("bandits", 0, turns=1)
    table.wait()
    table.press("l")
    table.wait(lambda: not table.app.viewer.course.live)
    table.press("z")
    table.wait(lambda: table.seat.sheet is not None)

    assert read_record(table.desk.game.path).result is None


def test_a_game_that_was_left_is_gone_on_with_where_it_was(table: Table, sit: Sit) -> None:
    table.press("1", "enter")
    table.wait()
    seen = table.app.viewer.timeline.count
    table.app.close()

    again = sit("bandits", 0)
    step = again.app.viewer.playback.position.step
    again.wait()

    assert step == len(again.app.viewer.timeline)
    assert again.app.viewer.timeline.count == seen
    assert again.orders() == ["aim"]
    again.press("z")
    again.wait(lambda: again.seat.sheet is not None and not again.orders())
    assert again.words[0] == "stand and fire at raiders with Longbow"


def test_a_recorded_battle_is_taken_over_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = load("bandits")
    battle = scenario.battle(3, 2)
    written = BattleLog.begin(Path("old.battle.jsonl"), scenario.header(3, 2), battle)
    story = tuple(battle.run(recorder=written))
    written.close()
    before = Path("old.battle.jsonl").read_bytes()
    start = scenario.battle(3, 2)
    app = opened(
        start.setup, start.state, story, referee=referee_of(start), size=SIZE,
        take_over=lambda events, side: taken_over("old.battle.jsonl", start, events, side),
    )  # fmt: skip
    hand = Hand(app)
    hand.press("page_down")
    hand.press("page_down")
    seen = app.viewer.timeline.moment(app.viewer.playback.position.step).turn
    hand.press("t")
    seat = app.viewer.seat
    assert seat is not None, app.viewer.alarm
    table = Table(app, seat.desk)
    table.wait()

    assert seen == 2
    assert table.app.viewer.state.turn == 2
    assert seat.desk.game.path.name == "old-2.battle.jsonl"
    assert Path("old.battle.jsonl").read_bytes() == before
    app.close()


def test_events_are_the_same_whatever_is_drawn(table: Table, tmp_path: Path) -> None:
    """The same orders given without a window make the same battle."""
    table.press("1", "enter")
    table.wait()
    table.press("l")
    table.wait(lambda: table.seat.sheet is not None or not table.app.viewer.course.live)
    orders = iter([1])
    file = tmp_path / "blind.battle.jsonl"
    battle = begun(load("bandits"), file, 3, 2)
    events: list[Event] = []

    def ask(asked):
        return asked.decision.options[0] if next(orders, None) else None

    game = Game(file, battle, [0], ask)
    for told in game.run():
        assert isinstance(told, Event)
        events.append(told)
    game.close()

    seen = list(read_record(table.desk.game.path).events())
    assert seen == events[: len(seen)]
