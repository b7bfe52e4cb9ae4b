"""Games in the window: who sees what, how they are left and gone on with, and what is on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.files.record import read_record
from emlia3d.battle.game import Game
from emlia3d.cli.game_file import begun, taken_over
from emlia3d.rules.emlia.events import EVENTS
from emlia3d.scenario import load
from emlia3d.view.rules import Rules
from emlia3d.view.session.timeline import Timeline
from tests.cli.window.table import SIZE, Sit, Table
from tests.view.panda.window_driver import Hand, opened

KINDS = kinds_by_name(EVENTS)


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
    side = table.entry.side
    table.press("l")
    table.wait(lambda: table.may_lift)
    second = table.app.viewer.status().curtain

    assert first is not None
    assert second is not None
    assert first.text == "Bandits: look away. Militia: press Space."
    assert second.text == "Militia: look away. Bandits: press Space."
    assert side == 0
    assert np.ptp(dark[:100].astype(int), axis=(0, 1)).max() < 8, "nothing shows through"


def test_a_click_lifts_the_curtain_too(sit: Sit) -> None:
    table = sit("bandits", 0, 1, turns=1)
    table.wait()

    table.hand.click(300, 200)

    assert table.app.viewer.status().curtain is None
    assert table.entry.side == 0


def test_a_battle_played_to_its_end_is_on_disk_as_it_was_seen(table: Table) -> None:
    table.press("1", "enter")
    table.wait()
    while table.app.viewer.course.live:
        table.press("l")
        table.wait(lambda: table.entry.sheet is not None or not table.app.viewer.course.live)
    table.press("end")

    record = read_record(table.game_thread.game.path)
    assert record.result is not None
    battle = load("bandits").battle(3, 2)
    end = table.app.viewer.timeline
    whole = Timeline(battle.state, record.events(KINDS))
    whole.close()
    assert end.moment(len(end)).key_frame() == whole.moment(len(whole)).key_frame()


def test_an_order_is_taken_back_after_the_battle_is_over(sit: Sit) -> None:
    table = sit("bandits", 0, turns=1)
    table.wait()
    table.press("l")
    table.wait(lambda: not table.app.viewer.course.live)
    table.press("z")
    table.wait(lambda: table.entry.sheet is not None)

    assert read_record(table.game_thread.game.path).result is None


def test_a_game_that_was_left_is_gone_on_with_where_it_was(table: Table, sit: Sit) -> None:
    table.take("aimed fire, without moving, at raiders with Longbow")
    table.press("enter")
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
    again.wait(lambda: again.entry.sheet is not None and not again.orders())
    assert "shoot: 4 orders" in again.words


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
        start.setup, start.state, story, rules=Rules(start), size=SIZE,
        take_over=lambda events, side: taken_over("old.battle.jsonl", start, events, side),
    )  # fmt: skip
    hand = Hand(app)
    hand.press("page_down")
    hand.press("page_down")
    seen = app.viewer.timeline.moment(app.viewer.playback.position.step).turn
    hand.press("t")
    entry = app.viewer.entry
    assert entry is not None, app.viewer.alarm
    table = Table(app, entry.thread)
    table.wait()

    assert seen == 2
    assert table.app.viewer.state.turn == 2
    assert entry.thread.game.path.name == "old-2.battle.jsonl"
    assert Path("old.battle.jsonl").read_bytes() == before
    app.close()


def test_events_are_the_same_whatever_is_drawn(table: Table, tmp_path: Path) -> None:
    """The same orders given without a window make the same battle."""
    sheet = table.entry.sheet
    first = sheet.question.decision.options[0]
    table.take(sheet.phrases[sheet.orders.index(first)])
    table.press("enter")
    table.wait()
    table.press("l")
    table.wait(lambda: table.entry.sheet is not None or not table.app.viewer.course.live)
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

    seen = list(read_record(table.game_thread.game.path).events(KINDS))
    assert seen == events[: len(seen)]
