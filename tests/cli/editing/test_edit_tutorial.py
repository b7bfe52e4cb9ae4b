"""The tutorial of the editor is true: each step is done with the mouse alone."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emlia3d.cli.game_file import begun
from emlia3d.cli.playing import sat_down
from emlia3d.scenario import check, load
from emlia3d.view.layout.panel import Layout, Rect
from emlia3d.view.rules import Rules
from tests.cli.editing.edit_hand import EditHand
from tests.cli.window.table import Table
from tests.scenario.map_files import hills
from tests.view.panda.window_driver import opened

PAGE = (Path(__file__).parents[3] / "docs" / "tutorial-edit.md").read_text("utf-8")
STEPS = re.findall(r"^\d+\. (.*(?:\n   ? ?\S.*)*)", PAGE, re.MULTILINE)

DEED = re.compile(
    r"\*\*(?P<sign>[+-])\*\* beside \*\*(?P<row>\w+)\*\*(?: until (?P<until>\d+) turns)?"
    r"|\*\*(?P<button>.+?)\*\*"
    r"|(?P<wheel>Turn the wheel)"
    r"|ring to (?P<ring>\d+, \d+)"
    r"|(?P<start>\d+, \d+)(?: and drag)? to (?P<end>\d+, \d+)"
    r"|(?P<click>\d+, \d+)"
)
MOST_ORDERS = 400


def place(text: str) -> tuple[float, float]:
    x, y = text.split(", ")
    return float(x), float(y)


def texts_of(layout: Layout, label: str) -> Iterator[tuple[float, float]]:
    """Yield the places of a text in the panels."""
    return ((text.x, text.y) for text in layout.texts if text.text == label)


def button_of(layout: Layout, label: str) -> Rect | None:
    """The button in which a text stands."""
    for x, y in texts_of(layout, label):
        for _, rect in layout.buttons:
            if rect.holds(x, y - 3):
                return rect
    return None


class Reader(EditHand):
    """Someone who does what the page says."""

    def follow(self, step: str) -> None:
        for deed in DEED.finditer(step):
            self._do(deed.groupdict())
            self.app.step(0.1)

    def _do(self, deed: dict[str, Any]) -> None:
        if deed["sign"]:
            wanted = deed["until"]
            self.press_sign(deed["row"], deed["sign"])
            while wanted and str(self.edited.heading(deed["row"])) != wanted:
                self.press_sign(deed["row"], deed["sign"])
        elif deed["button"]:
            self.press_label(deed["button"])
        elif deed["wheel"]:
            self.point(self.app.surface.size[0] / 2, self.app.surface.size[1] / 2)
            for _ in range(4):
                self.press("wheel_up")
        elif deed["ring"]:
            handle = self.session.turn_handle(self.session.selected)
            self.drag(handle, place(deed["ring"]))
        elif deed["start"]:
            self.drag(place(deed["start"]), place(deed["end"]))
        else:
            self.at(place(deed["click"]))

    def press_label(self, label: str) -> None:
        for _ in range(60):
            rect = button_of(self.app.layout, label)
            if rect is not None:
                self.click(rect.x + rect.w / 4, rect.y + rect.h / 2)
                return
            self._scroll_on()
        raise AssertionError(f"no button says {label}")

    def press_sign(self, row: str, sign: str) -> None:
        """Press the sign in the row of a word."""
        (at,) = {y for _, y in texts_of(self.app.layout, row)}
        (x,) = [x for x, y in texts_of(self.app.layout, sign) if abs(y - at) < 4]
        self.click(x, at - 3)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    pytest.importorskip("rasterio")
    hills(tmp_path)
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"^\$ emlia3d edit (.*)$", PAGE, re.MULTILINE)
    scenario, option, dem = shlex.split(command)
    assert option == "--dem"
    reader = Reader(scenario, (1280, 720), dem=Path(dem))
    yield reader
    reader.app.close()


@pytest.mark.long
def test_a_reader_builds_a_battle_with_the_mouse_and_fights_it(
    reader: Reader, tmp_path: Path
) -> None:
    for step in STEPS[:6]:
        reader.follow(step)
    assert len(reader.units) == 10
    assert [unit["side"] for unit in reader.units] == ["South"] * 5 + ["North"] * 5
    assert reader.units[2]["at"] == pytest.approx([250, 215], abs=1)

    for step in STEPS[6:10]:
        reader.follow(step)
    assert reader.units[2]["at"] == pytest.approx([275, 220], abs=1)
    assert reader.units[2]["facing"] == pytest.approx(315, abs=10)
    assert reader.units[2]["members"] == 31

    for step in STEPS[10:13]:
        reader.follow(step)
    (wood,) = reader.edited.tables("terrain")
    assert wood["kind"] == "forest"
    assert wood["circle"] == pytest.approx([290, 250, 12], abs=1.5)
    assert reader.session.sight.names == ("Spearmen 2", "Spearmen 5")

    for step in STEPS[13:]:
        reader.follow(step)
    assert reader.session.files.play == Path("valley.toml")
    assert check(tmp_path / "valley.toml") == ()
    assert load("valley.toml").setup.turns == 3

    fight(tmp_path / "valley.toml")


def fight(scenario: Path) -> None:
    """Play the South with clicks alone until the battle is over."""
    file = scenario.with_name("valley.battle.jsonl")
    battle = load(scenario).battle(0)
    begun(load(scenario), file)
    known, game_thread = sat_down(file, battle, (0,), fog=True)
    app = opened(battle.setup, battle.state, known, rules=Rules(battle), game_thread=game_thread,
                 size=(960, 540))  # fmt: skip
    table = Table(app, game_thread)
    app.viewer.playback.playing = True
    try:
        given = 0
        for _ in range(MOST_ORDERS):
            table.wait(
                lambda: table.entry.sheet is not None or game_thread.game.battle.result is not None
            )
            if game_thread.game.battle.result is not None:
                break
            buttons = dict(app._mouse.layout.buttons)
            if given < 3 and "order:0" in buttons:
                table.hand.click_button("order:0")
                table.hand.click_button("order:give")
                given += 1
            else:
                table.hand.click_button("order:doctrine")
        assert given == 3
        assert game_thread.game.battle.result is not None
    finally:
        app.close()
