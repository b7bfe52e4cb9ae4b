"""A scenario that is a field with terrain and no units: shown, asked about, and never played."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import emlia3d
from emlia3d.cli.game_file import taken_over
from emlia3d.cli.opening import course_of, library_of
from emlia3d.errors import Error, LogError
from emlia3d.scenario import from_header, load
from emlia3d.view.rules import Rules
from tests.cli.conftest import Run
from tests.view.panda.window_driver import Hand, opened

FIELD = """\
format = 1
title = "A valley"
rules = "emlia"
turns = 6

[field]
size = [120, 80]
relief = {kind = "fractal", seed = 3, cell = 4, low_m = 0, high_m = 30, feature = 60}

[[terrain]]
kind = "forest"
circle = [40, 30, 15]
"""

FLAT = FIELD[: FIELD.index("relief")]

REFUSAL = "valley.toml: expected at least one [[unit]], got none: this is a field without units"


@pytest.fixture(params=[FIELD, FLAT], ids=["hills", "flat"])
def field(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    (tmp_path / "valley.toml").write_text(request.param, encoding="utf-8")
    return "valley.toml"


def test_a_check_finds_it_right_and_reports_that_no_unit_is_there(run: Run, field: str) -> None:
    told = run(["check", field])

    assert (told.status, told.err) == (0, "")
    assert told.out.splitlines() == [
        "valley.toml: no unit is on the field: it can be viewed, but not played",
        "valley.toml: OK",
    ]


@pytest.mark.long
@pytest.mark.parametrize("camera", [None, "overview", "fight", "top", "eye"])
def test_every_camera_draws_the_whole_field(
    run: Run, field: str, tmp_path: Path, camera: str | None
) -> None:
    named = [] if camera is None else ["--camera", camera]

    told = run(["view", field, "--picture", "out.png", "--size", "320x200", *named])

    assert (told.status, told.err) == (0, "")
    with Image.open(tmp_path / "out.png") as drawn:
        assert np.asarray(drawn.convert("RGB"), dtype=np.int16).std() > 5


@pytest.mark.parametrize("rules", ["emlia", "true"])
@pytest.mark.parametrize("reverse", [[], ["--reverse"]])
def test_places_see_and_are_seen(run: Run, field: str, rules: str, reverse: list[str]) -> None:
    told = run(["viewshed", field, "10,10", "60,40,5", "--rules", rules, "--cell", "4", *reverse])

    assert (told.status, told.err) == (0, "")
    assert "figure of height 1" in told.out


def test_a_place_sees_as_much_as_past_a_unit_that_hides_nothing(run: Run, tmp_path: Path) -> None:
    unit = '[[side]]\nname = "A"\n[[unit]]\nname = "a"\nside = "A"\ntype = "emlia/warrior"\n'
    (tmp_path / "empty.toml").write_text(FIELD)
    (tmp_path / "one.toml").write_text(FIELD + unit + "at = [1, 1]\n")

    for name in ("empty", "one"):
        told = run(["viewshed", f"{name}.toml", "60,40", "--out", f"{name}.npy"])
        assert (told.status, told.err) == (0, "")

    empty, one = np.load(tmp_path / "empty.npy"), np.load(tmp_path / "one.npy")
    assert {0, 2} <= set(empty.ravel().tolist())
    np.testing.assert_array_equal(empty, one)


@pytest.mark.parametrize(
    "words",
    [
        ["battle", "valley.toml", "--headless"],
        ["battle", "valley.toml", "--times", "2"],
        ["battle", "valley.toml", "--commander", "A=random"],
        ["battle", "valley.toml", "--swap-sides"],
        ["play", "valley.toml", "--text"],
        ["play", "valley.toml", "--text", "--side", "A"],
        ["report", "valley.toml"],
        ["odds", "valley.toml", "a", "b"],
        ["sight", "valley.toml", "a", "b"],
        ["sight", "valley.toml", "a", "b", "--rules", "all"],
        ["view", "valley.toml", "--picture", "x.png", "--seen-by", "a"],
        ["view", "valley.toml", "--picture", "x.png", "--sight", "a,b"],
        ["view", "valley.toml", "--record", "x.mp4"],
    ],
)
def test_a_command_that_needs_units_refuses_in_one_line(
    run: Run, field: str, words: list[str], tmp_path: Path
) -> None:
    told = run(words)

    assert (told.status, told.out) == (2, "")
    assert told.complaints == [REFUSAL]
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".toml"] == []


def test_python_refuses_a_battle_and_shows_the_field(tmp_path: Path) -> None:
    (tmp_path / "valley.toml").write_text(FIELD)
    scenario = load(tmp_path / "valley.toml")

    with pytest.raises(Error, match="got none: this is a field without units"):
        scenario.battle()
    assert scenario.deployed().state.turn == 0
    assert emlia3d.load("bandits").deployed().setup.units


def test_a_battle_file_of_a_field_without_units_is_refused(tmp_path: Path) -> None:
    header = load("bandits").header(0) | {"scenario": FIELD, "name": "valley.toml"}

    with pytest.raises(LogError, match=r"valley.toml: expected at least one \[\[unit\]\]"):
        from_header(header, tmp_path)


def test_every_key_of_the_window_works_on_it(run: Run, field: str, tmp_path: Path) -> None:
    course = course_of(field)
    battle = course.battle
    app = opened(
        battle.setup, battle.state, course.events, rules=Rules(battle),
        take_over=partial(taken_over, field, battle), library=library_of(Path(field)),
    )  # fmt: skip
    try:
        hand = Hand(app)
        alarms = set()
        for name, act in sorted(app._acts.items()):
            act()
            hand.click(300, 200)
            app.step(0.2)
            if app.viewer.alarm:
                alarms.add((name, app.viewer.alarm))
                app.viewer.alarm = ""
    finally:
        app.close()

    assert {REFUSAL} == {told for _, told in alarms}
    assert [path.name for path in tmp_path.glob("*.jsonl")] == []


def test_the_window_lists_fields_without_units_beside_battles(field: str, tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text('format = 1\nrules = "emlia"\n[entry.a]\nname = "a"\n')
    library = library_of(tmp_path / field)

    names = [found.path.name for found in library.look() if found.path.parent == tmp_path]

    assert names == ["valley.toml"]
    assert library.take(tmp_path / field).events == ()
