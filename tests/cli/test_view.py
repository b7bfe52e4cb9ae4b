"""``view``: pictures of scenarios and of recorded battles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.battle.state import State
from emlia3d.scenario import load
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.rules import Rules
from emlia3d.view.session.timeline import Timeline


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), dtype=np.int16)


@pytest.mark.long
@pytest.mark.parametrize("camera", ["overview", "fight", "top", "eye", "general", "ranker"])
def test_a_scenario_is_drawn_from_each_camera(
    run, bandits: Path, tmp_path: Path, camera: str
) -> None:
    told = run(["view", bandits, "--picture", "out.png", "--camera", camera, "--size", "320x200"])

    drawn = pixels(tmp_path / "out.png")
    assert (told.status, told.err) == (0, "")
    assert drawn.shape == (200, 320, 3)
    assert drawn.std() > 5


def test_a_camera_that_nobody_named_is_one_line(run, bandits: Path) -> None:
    told = run(["view", bandits, "--picture", "out.png", "--camera", "crow"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert "overview, general, ranker, fight, top, eye" in told.err


def test_a_sight_question_is_drawn_on_the_field(run, bandits: Path, tmp_path: Path) -> None:
    size = ["--size", "640x360"]
    for name, asked in (("plain", []), ("asked", ["--sight", "archers,bandits"])):
        assert run(["view", bandits, "--picture", f"{name}.png", *size, *asked]).status == 0

    def violet(name: str) -> int:
        red, green, blue = pixels(tmp_path / f"{name}.png").transpose(2, 0, 1)
        return int(((blue > 1.2 * red) & (red > 1.2 * green)).sum())

    assert violet("asked") > violet("plain") + 1500


def test_the_ground_can_be_drawn_by_its_slopes(run, bandits: Path, tmp_path: Path) -> None:
    size = ["--size", "320x180", "--camera", "top"]
    for ground in ("country", "relief", "slope"):
        told = run(["view", bandits, "--picture", f"{ground}.png", *size, "--ground", ground])
        assert told.status == 0
    country, relief, slope = (
        pixels(tmp_path / f"{name}.png").mean(axis=(0, 1))
        for name in ("country", "relief", "slope")
    )
    assert np.ptp(relief) < np.ptp(country), "greyer"
    assert np.abs(slope - country).max() > 10


def test_a_grid_of_tiles_can_be_drawn(run, tmp_path: Path) -> None:
    grid, plain = tmp_path / "grid.png", tmp_path / "plain.png"
    words = ["view", "duel", "--camera", "fight", "--size", "320x180"]

    for told in (run([*words, "--grid", "--picture", grid]), run([*words, "--picture", plain])):
        assert told.status == 0, told.err

    assert (pixels(grid) != pixels(plain)).any()


def test_in_the_window_the_ground_is_chosen_by_a_key(run, bandits: Path) -> None:
    told = run(["view", bandits, "--ground", "slope"])
    assert told.status == 2
    assert "--ground" in told.err


def test_the_ground_that_a_unit_does_not_see_is_shaded(run, bandits: Path, tmp_path: Path) -> None:
    """Of what lies behind the rock more is hidden than of what lies before it."""
    size = ["--size", "640x360", "--camera", "top"]
    for name, asked in (("plain", []), ("seen", ["--seen-by", "archers"])):
        assert run(["view", bandits, "--picture", f"{name}.png", *size, *asked]).status == 0

    plain, seen = (pixels(tmp_path / f"{name}.png") for name in ("plain", "seen"))
    violet = (seen[..., 2] > seen[..., 1]) & (plain[..., 1] > plain[..., 2])
    behind, before = violet[:180, 180:460].sum(), violet[180:, 180:460].sum()
    assert behind > 1000
    assert behind > 3 * before


@pytest.mark.parametrize(
    "asked", [["--seen-by", "nobody"], ["--seen-by", "archers", "--sight", "archers,bandits"]]
)
def test_a_question_about_the_ground_that_cannot_be_asked_is_one_line(
    run, bandits: Path, asked: list[str]
) -> None:
    told = run(["view", bandits, "--picture", "out.png", *asked])

    assert told.status == 2
    assert len(told.complaints) == 1


@pytest.mark.parametrize("asked", ["archers", "archers,nobody", "archers,archers"])
def test_a_sight_question_about_other_than_two_units_is_one_line(
    run, bandits: Path, asked: str
) -> None:
    told = run(["view", bandits, "--picture", "out.png", "--sight", asked])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert "archers, bandits" in told.err


def sight(rules: Rules, state: State) -> SightAnswer:
    return rules.system.sight(rules.at(state), 0, 1, 0)


def test_a_sight_question_is_about_the_moment_that_is_shown_however_it_is_come_to() -> None:
    """Asked forwards and back, as one leafs through a battle, and of each moment by itself."""
    scenario = load("bandits")
    events = list(scenario.battle(seed=3, turns=2).run())
    timeline = Timeline(scenario.battle(seed=3, turns=2).state, events, every=4)
    timeline.close()
    steps = [*range(1, len(timeline), 5), *range(len(timeline), 0, -7)]
    leafing = Rules(scenario.battle())

    verdicts = set()
    for step in steps:
        state = timeline.moment(step)
        if {0, 1} <= set(units_in_sight(state)):
            answer = sight(leafing, state)
            assert answer == sight(Rules(scenario.battle()), state.copy())
            verdicts.add((answer.concealment, answer.distance))

    assert len(verdicts) > 1, "they moved"


@pytest.mark.long
def test_a_battle_file_is_drawn_at_a_turn(run, bandits: Path, tmp_path: Path) -> None:
    run(["battle", bandits, "--headless", "--seed", "7", "--save", "x.battle.jsonl"])

    for name, at in (("start", ["--at", "0"]), ("first", ["--at", "1"]), ("end", [])):
        size = ["--size", "320x200", "--camera", "top"]
        assert run(["view", "x.battle.jsonl", "--picture", f"{name}.png", *size, *at]).status == 0

    start, first, end = (pixels(tmp_path / f"{name}.png") for name in ("start", "first", "end"))
    assert np.abs(start - first).max() > 50
    assert np.abs(first - end).max() > 50


@pytest.mark.long
def test_the_missions_of_a_side_are_drawn_and_named(run, tmp_path: Path) -> None:
    run(["battle", "ridge", "--headless", "--turns", "1", "--save", "x.battle.jsonl"])
    size = ["--size", "320x200", "--camera", "top"]
    plain = run(["view", "x.battle.jsonl", "--picture", "plain.png", *size])

    told = run(
        ["view", "x.battle.jsonl", "--picture", "out.png", *size, "--missions", "Southern brigade"]
    )

    assert (plain.status, told.status) == (0, 0)
    assert "  the Infantry " in told.out
    assert "  the Infantry " not in plain.out
    assert np.abs(pixels(tmp_path / "plain.png") - pixels(tmp_path / "out.png")).max() > 50


def test_missions_of_a_side_that_is_not_there_or_without_a_picture_are_one_line(run) -> None:
    for more, told in (
        (["--picture", "out.png", "--missions", "East"], "--missions takes one of these sides"),
        (["--missions", "Southern brigade"], "--missions needs --picture"),
    ):
        found = run(["view", "ridge", *more])
        assert found.status == 2
        assert len(found.complaints) == 1
        assert told in found.err


def test_a_battle_file_with_an_event_that_does_not_fit_is_one_line(
    run, bandits: Path, tmp_path: Path
) -> None:
    run(["battle", bandits, "--headless", "--turns", "1", "--save", "x.battle.jsonl"])
    file = tmp_path / "x.battle.jsonl"
    bad = '{"changes":[{"column":"luck","do":"set","row":0,"table":"unit","value":1}],"event":"x"}'
    header, *lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([header, bad, *lines, ""]), encoding="utf-8")

    told = run(["view", "x.battle.jsonl", "--picture", "out.png"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told.err.startswith("x.battle.jsonl:2: ")


@pytest.mark.long
def test_a_key_event_is_drawn_by_its_number(run, tmp_path: Path) -> None:
    run(["battle", "outpost", "--headless", "--seed", "10", "--save", "x.battle.jsonl"])
    size = ["--size", "320x200"]

    for name in ("8", "23"):
        told = run(["view", "x.battle.jsonl", "--picture", f"{name}.png", *size, "--event", name])
        assert told.status == 0

    assert np.abs(pixels(tmp_path / "8.png") - pixels(tmp_path / "23.png")).max() > 50
    for words, flaw in (
        (["--event", "99"], "--event: expected a key event from 1 to 29, got 99"),
        (["--event", "2", "--at", "1"], "--at and --event exclude each other"),
    ):
        told = run(["view", "x.battle.jsonl", "--picture", "out.png", *words])
        assert (told.status, len(told.complaints)) == (2, 1)
        assert flaw in told.err


def test_an_event_of_a_battle_not_begun_is_one_line(run, bandits: Path) -> None:
    told = run(["view", bandits, "--picture", "out.png", "--event", "1"])

    assert (told.status, len(told.complaints)) == (2, 1)
    assert "the battle has no key events" in told.err


def test_a_turn_that_was_not_played_is_one_line(run, bandits: Path) -> None:
    told = run(["view", bandits, "--picture", "out.png", "--at", "3"])

    assert told.status == 2
    assert len(told.complaints) == 1


def test_without_a_display_the_window_is_refused_in_one_line(run, bandits: Path) -> None:
    told = run(["view", bandits])

    assert told.status == 1
    assert len(told.complaints) == 1


def test_a_recorded_battle_is_filmed(run, tmp_path: Path) -> None:
    av = pytest.importorskip("av")
    saved = ["--seed", "1", "--turns", "1", "--headless", "--save", "d.battle.jsonl"]
    assert run(["battle", "duel", *saved]).status == 0

    told = run(
        [
            "view",
            "d.battle.jsonl",
            "--record",
            "d.webm",
            "--turn-seconds",
            "0.2",
            "--size",
            "160x90",
        ]
    )

    assert (told.status, told.err) == (0, "")
    assert "d.webm" in told.out
    with av.open(str(tmp_path / "d.webm")) as film:
        assert sum(1 for _ in film.decode(video=0)) == (1.0 + 0.2 + 2.0) * 25


@pytest.mark.parametrize(
    ("options", "told_of"),
    [
        (["--record", "out.avi"], ".mp4 or .webm"),
        (["--record", "nowhere/out.mp4"], "no folder"),
        (["--record", "out.mp4", "--picture", "out.png"], "--record can only be combined"),
        (["--record", "out.mp4"], "--save FILE.battle.jsonl"),
    ],
)
def test_a_film_that_cannot_be_made_is_one_line(
    run, bandits: Path, tmp_path: Path, options: list[str], told_of: str
) -> None:
    told = run(["view", bandits, *options])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told_of in told.err
    assert not list(tmp_path.glob("out.*"))
