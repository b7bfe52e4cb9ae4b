"""Saving in the editor's window: drafts, other names, other programs, play."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.scenario import check, load
from emlia3d.view.moment.scene import TintedArea
from tests.cli.editing.edit_hand import EditHand, Open, inside


def test_a_bundled_scenario_is_saved_under_another_name(open_window: Open, tmp_path: Path) -> None:
    original = load("duel").path.read_bytes()
    hand = open_window("duel")
    hand.session.edit(lambda: hand.edited.change_heading({"turns": 5}))

    hand.with_control("s")
    assert hand.session.files.prompt is not None
    hand.click_button("prompt:enter")
    hand.app.step(0.1)

    assert inside(tmp_path) == {"duel.toml"}
    assert load(tmp_path / "duel.toml").setup.turns == 5
    assert load("duel").path.read_bytes() == original
    assert hand.edited.is_saved

    hand.with_control("shift", "s")
    hand.write("other")
    hand.press("enter")

    assert inside(tmp_path) == {"duel.toml", "other.toml"}


def test_a_file_that_cannot_be_written_keeps_the_edit(
    bandits: EditHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    bandits.drag((26, 62), (40, 62))
    text = bandits.edited.text

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    bandits.with_control("s")
    bandits.app.step(0.1)

    assert "No space left on device; the edit is kept here" in bandits.session.alarm
    assert bandits.edited.text == text
    assert not bandits.edited.is_saved


def test_a_change_by_another_program_is_noticed_and_not_lost(
    bandits: EditHand, tmp_path: Path
) -> None:
    path = tmp_path / "bandits.toml"
    bandits.drag((26, 62), (40, 62))
    others = path.read_text("utf-8").replace("turns = 6", "turns = 7")
    path.write_text(others, "utf-8")

    bandits.app.step(2.5)
    assert "another program has changed bandits.toml" in bandits.session.alarm
    bandits.press("escape")
    bandits.with_control("shift", "s")
    bandits.click_button("prompt:enter")

    assert path.read_text("utf-8") == others
    assert load(tmp_path / "bandits-2.toml").setup.turns == 6


def test_play_saves_and_ends_the_window(bandits: EditHand, tmp_path: Path) -> None:
    bandits.drag((26, 62), (40, 62))

    bandits.press("f5")

    assert bandits.session.files.play is not None
    assert bandits.session.files.play.resolve() == (tmp_path / "bandits.toml").resolve()
    assert bandits.edited.is_saved


def test_a_scenario_with_errors_is_not_played(bandits: EditHand) -> None:
    bandits.drag((60, 44), (60, 6))

    bandits.press("f5")
    bandits.app.step(0.1)

    assert bandits.session.files.play is None
    assert "errors" in bandits.session.alarm


def test_an_error_is_marked_in_place_and_saved_only_as_a_draft(
    bandits: EditHand, tmp_path: Path
) -> None:
    before = (tmp_path / "bandits.toml").read_bytes()
    bandits.drag((60, 44), (60, 6))
    bandits.app.step(0.1)

    assert bandits.session.position.wrong == {("unit", 1)}
    assert "bandits stands on archers" in bandits.session.position.findings[0].text
    assert [unit.name for unit in bandits.session.position.setup.units] == ["archers", "raiders"]
    outline = bandits.session.position.footprints["unit", 1][0]
    assert outline.mean(axis=0) == pytest.approx([60, 6], abs=2)
    tones = [mark.tone for mark in bandits.app.marks() if isinstance(mark, TintedArea)]
    assert "melee" in tones

    bandits.with_control("s")

    assert (tmp_path / "bandits.toml").read_bytes() == before
    assert "bandits" in check(tmp_path / "bandits.draft.toml")[0].message
    bandits.app.step(0.1)
    assert "draft" in bandits.session.notice

    bandits.click_button("tool:sides")
    bandits.click_button("finding:0")

    assert bandits.session.selected == ("unit", 1)
