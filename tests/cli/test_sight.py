"""`emlia3d sight`: in words, as a document, and a saved answer asked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageColor

import emlia3d
from emlia3d.view.plans.lineplan import CLEAR, STOPPED
from emlia3d.view.plans.sightquestion import CORRIDOR

Run = Callable[[list[str | Path]], Any]


@pytest.fixture
def saved(run: Run, tmp_path: Path, bandits: Path) -> Path:
    """An answer about the bandits, as it was printed."""
    file = tmp_path / "answer.json"
    printed = run(["sight", bandits, "archers", "bandits", "--damage", "2", "--json"]).out
    file.write_text(printed, encoding="utf-8")
    return file


def test_it_says_the_verdict_why_and_by_which_rules(run: Run, bandits: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--damage", "2"])

    verdict, _, *paragraph = told.out.splitlines()
    assert told.status == 0
    assert verdict == (
        "bandits, from archers: not seen; concealment total, cover total against base damage 2 "
        "(emlia)"
    )
    assert paragraph[0].startswith("Archers can see nothing of bandits (total concealment).")
    assert paragraph[-1] == "  emlia.cover.source"
    assert "  emlia.sight.shadow-total-depth" in paragraph


def test_it_prints_one_document(run: Run, bandits: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--damage", "2", "--json"])

    document = json.loads(told.out)
    assert set(document) >= {
        "observer", "target", "rules", "distance", "line_of_sight", "concealment", "cover",
        "intervening", "ground", "because", "text",
    }  # fmt: skip
    assert set(document["intervening"][0]) >= {
        "entity", "fraction", "body", "height", "distance", "shadow", "gives",
    }  # fmt: skip
    assert document["program"] == emlia3d.__version__
    assert document["ground"] is None
    assert document["line_of_sight"] is False
    assert set(document["intervening"][0]["shadow"]) == {"length", "total_depth"}


def test_a_saved_answer_that_still_holds_is_confirmed(run: Run, bandits: Path, saved: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--verify", saved])

    assert told.status == 0
    assert told.out.startswith(f"{saved}: the same answer, ")


def test_what_no_longer_holds_is_named(run: Run, bandits: Path, saved: Path) -> None:
    text = bandits.read_text("utf-8").replace("height = 5\n", "height = 4\n")
    lower = saved.with_name("lower.toml")
    lower.write_text(text, encoding="utf-8")

    told = run(["sight", lower, "archers", "bandits", "--verify", saved])

    assert told.status == 1
    height, shadow = told.out.splitlines()
    assert height == f"{saved}: intervening rock: height was 5.0, and is 4.0"
    assert shadow.startswith(f"{saved}: intervening rock: shadow was ")


def test_what_came_into_the_corridor_or_left_it_is_named(
    run: Run, bandits: Path, saved: Path
) -> None:
    text = bandits.read_text("utf-8")
    other = saved.with_name("other.toml")
    other.write_text(text.replace('name = "rock"', 'name = "boulder"'), encoding="utf-8")

    told = run(["sight", other, "archers", "bandits", "--verify", saved])

    assert told.status == 1
    assert told.out.splitlines() == [
        f"{saved}: intervening rock was there, and is not",
        f"{saved}: intervening boulder was not there, and is there",
    ]


def test_the_answer_to_another_question_is_not_compared(
    run: Run, bandits: Path, saved: Path
) -> None:
    told = run(["sight", bandits, "archers", "raiders", "--verify", saved])

    assert (told.status, told.out) == (2, "")
    assert told.complaints == [
        f"{saved}: this is the answer to another question: bandits, from archers"
    ]


def test_a_file_that_is_no_json_is_told_as_such(run: Run, bandits: Path, tmp_path: Path) -> None:
    for name, held in (("empty.json", b""), ("picture.json", bytes([137, 80, 78, 71]))):
        (tmp_path / name).write_bytes(held)

        told = run(["sight", bandits, "archers", "bandits", "--verify", name])

        assert told.status == 2
        assert told.complaints == [f"{name}: not an answer of emlia3d sight --json: not JSON"]


@pytest.mark.parametrize(
    ("old", "new"), [('"total"', '"none"'), ("{", "["), ('"damage": 2', '"damage": 2.5')]
)
def test_an_answer_that_was_meddled_with_is_no_answer(
    run: Run, bandits: Path, saved: Path, old: str, new: str
) -> None:
    saved.write_text(saved.read_text("utf-8").replace(old, new, 1), encoding="utf-8")

    told = run(["sight", bandits, "archers", "bandits", "--verify", saved])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told.err.startswith(f"{saved}: not an answer of emlia3d sight --json: ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["archer", "bandits"], 'unknown unit "archer"; did you mean archers?'),
        (["archers", "bandit"], 'unknown unit "bandit"; did you mean bandits?'),
        (["Bandits", "archers"], "Bandits is a side; expected a unit: bandits or raiders"),
        (["archers", "rock"], "rock is terrain; expected a unit"),
        (["archers", "zzz"], 'unknown unit "zzz"; there are archers, bandits and raiders'),
        (["archers", "archers"], "expected two different units, got archers twice"),
        (["archers", "bandits", "--rules", "emila"], 'unknown rule system "emila"; did you'),
        (
            ["archers", "bandits", "--rules", "true", "--damage", "2"],
            "--damage: geometry has no cover",
        ),
        (["archers", "bandits", "--rules", "true", "--what-if"], "--what-if: cannot be combined"),
        (["archers", "bandits", "--rules", "all", "--what-if"], "--what-if: cannot be combined"),
        (["archers", "bandits", "--verify", "lost.json"], "lost.json: No such file"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    run: Run, bandits: Path, words: list[str], complaint: str
) -> None:
    told = run(["sight", bandits, *words])

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
    assert complaint in told.err


@pytest.mark.long
def test_it_says_what_would_alter_the_verdict(run: Run, bandits: Path, saved: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--what-if"])
    saved.write_text(
        run(["sight", bandits, "archers", "bandits", "--what-if", "--json"]).out, encoding="utf-8"
    )

    lines = told.out.splitlines()
    assert lines[lines.index("Changes that alter it:") + 1] == (
        "  archers, 11.1 height units higher: concealment none"
    )
    assert json.loads(saved.read_text("utf-8"))["changes"][0] == {
        "who": "archers", "what": "higher", "amount": 11.1, "verdict": "none",
        "note": None,
    }  # fmt: skip
    assert run(["sight", bandits, "archers", "bandits", "--verify", saved]).status == 0


@pytest.mark.long
def test_what_would_alter_the_verdict_is_compared_one_by_one(
    run: Run, bandits: Path, saved: Path, tmp_path: Path
) -> None:
    words = ["archers", "bandits", "--what-if"]
    saved.write_text(run(["sight", bandits, *words, "--json"]).out, encoding="utf-8")
    lower = tmp_path / "lower.toml"
    text = bandits.read_text("utf-8").replace("height = 5\n", "height = 4\n")
    lower.write_text(text, encoding="utf-8")

    told = run(["sight", lower, *words, "--verify", saved])

    assert f"{saved}: changes archers higher: amount was 11.1, and is 7.1" in told.out.splitlines()


def test_an_answer_that_lies_too_deep_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 200_000, encoding="utf-8")

    told = run(["sight", "bandits", "archers", "bandits", "--verify", "deep.json"])

    assert told.status == 2
    assert told.complaints == [
        "deep.json: not an answer of emlia3d sight --json: nested too deeply"
    ]


def test_plain_geometry_says_how_much_is_to_be_seen(run: Run, bandits: Path) -> None:
    told = run(["sight", bandits, "archers", "raiders", "--rules", "true"])
    document = json.loads(run(["sight", bandits, "archers", "raiders", "--rules", "true",
                               "--json"]).out)  # fmt: skip

    assert told.status == 0
    verdict, _, *paragraph = told.out.splitlines()
    assert verdict == "raiders, from archers: 98% visible (plain geometry)"
    assert paragraph[0].startswith("By plain geometry, archers can see 98% of raiders.")
    assert document["rules"] == "true"
    assert [document[key] for key in ("datum", "observer_height", "observer_footing")] == [0, 9, 8]
    assert [document[key] for key in ("target_height", "target_footing")] == [1, 0]
    assert 0.97 < document["visible_share"] < 0.99
    assert [each["entity"] for each in document["hiding"]] == ["rock", "lone tree"]
    assert document["program"] == emlia3d.__version__


def test_everyone_is_asked_at_once(run: Run, bandits: Path) -> None:
    words = ["sight", bandits, "archers", "bandits", "--rules", "all", "--damage", "2"]
    document = json.loads(run([*words, "--json"]).out)
    told = run(words)

    assert set(document) == {"answers"}
    assert list(document["answers"]) == ["emlia", "epic", "oathmark", "runolfsson", "true"]
    assert document["answers"]["emlia"]["damage"] == 2
    assert document["answers"]["true"]["visible_share"] == 0.0
    assert told.out.startswith("bandits, from archers: not seen; concealment total")
    assert "bandits, from archers: nothing visible (plain geometry)" in told.out


@pytest.mark.parametrize("rules", ["true", "all"])
def test_saved_answers_of_any_kind_are_compared(
    run: Run, bandits: Path, tmp_path: Path, rules: str
) -> None:
    file, lower = tmp_path / "answer.json", tmp_path / "lower.toml"
    words = ["archers", "raiders", "--rules", rules, "--json"]
    file.write_text(run(["sight", bandits, *words]).out, encoding="utf-8")
    text = bandits.read_text("utf-8").replace("height = 5\n", "height = 4.5\n")
    lower.write_text(text, encoding="utf-8")

    same = run(["sight", bandits, "archers", "raiders", "--verify", file])
    other = run(["sight", lower, "archers", "raiders", "--verify", file])

    assert same.status == 0
    assert "the same answer, " in same.out
    assert other.status == 1
    assert "visible_share was 0.98" in other.out


def test_answers_by_other_rules_are_not_compared(run: Run, bandits: Path, saved: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--rules", "true", "--verify", saved])

    assert told.status == 2
    assert told.complaints == [f"{saved}: this answer is by the rules emlia, not true"]


def test_it_says_when_another_version_answered(run: Run, bandits: Path, saved: Path) -> None:
    body = json.loads(saved.read_text("utf-8"))
    saved.write_text(json.dumps({**body, "program": "0.0.7"}), encoding="utf-8")

    told = run(["sight", bandits, "archers", "bandits", "--verify", saved])

    assert told.status == 0
    assert told.out.splitlines()[0] == (
        f"{saved}: version 0.0.7 answered then, and {emlia3d.__version__} now"
    )


@pytest.mark.parametrize(
    "body",
    [
        {"answers": []},
        {"answers": {}},
        {"answers": {"true": {"rules": "true"}}},
        {"answers": {"emlia": None}, "more": 1},
        {"program": 7, "digest": "0"},
        {"program": "0.1.0", "digest": "0", "rules": ["true"]},
    ],
)
def test_what_is_no_answer_is_refused(run: Run, bandits: Path, tmp_path: Path, body: Any) -> None:
    (tmp_path / "none.json").write_text(json.dumps(body), encoding="utf-8")

    told = run(["sight", bandits, "archers", "bandits", "--verify", "none.json"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told.err.startswith("none.json: not an answer of emlia3d sight --json: ")


def test_an_answer_under_the_name_of_other_rules_is_refused(
    run: Run, bandits: Path, saved: Path
) -> None:
    body = json.loads(saved.read_text("utf-8"))
    saved.write_text(json.dumps({"answers": {"true": body}}), encoding="utf-8")

    told = run(["sight", bandits, "archers", "bandits", "--verify", saved])

    assert told.complaints == [
        f"{saved}: not an answer of emlia3d sight --json: answers.true: this is an answer by the "
        "rules emlia"
    ]


def test_battle_tells_a_battle_file_from_a_scenario(run: Run) -> None:
    run(["battle", "duel", "--turns", "1", "--headless", "--save", "duel.battle.jsonl"])

    told = run(["battle", "duel.battle.jsonl"])

    assert (told.status, told.out) == (2, "")
    assert told.complaints == [
        "duel.battle.jsonl: this is a battle file, and a scenario is expected here: emlia3d view "
        "shows it, emlia3d battle --resume continues it"
    ]


def test_plain_geometry_draws_what_the_eye_sees(run: Run, bandits: Path, tmp_path: Path) -> None:
    words = ["sight", bandits, "archers", "raiders", "--rules", "true", "--picture", "eye.png"]

    assert run(words).status == 0
    assert (tmp_path / "eye.png").read_bytes().startswith(b"\x89PNG")


def test_the_answers_of_all_rules_are_drawn_on_one_sheet(
    run: Run, bandits: Path, tmp_path: Path
) -> None:
    words = ["sight", bandits, "archers", "bandits", "--rules", "all"]

    answers = json.loads(run([*words, "--json"]).out)["answers"]
    assert run([*words, "--picture", "sheet.png"]).status == 0

    with Image.open(tmp_path / "sheet.png") as sheet:
        wide, high = sheet.size
        colours = {
            name: set(
                map(tuple, np.asarray(sheet.crop(box).convert("RGB")).reshape(-1, 3).tolist())
            )
            for name, box in zip(answers, boxes_of(len(answers), wide, high), strict=True)
        }
    clear, stopped = ImageColor.getrgb(CLEAR), ImageColor.getrgb(STOPPED)
    assert {name for name in answers if clear in colours[name]} == {"oathmark"}
    assert {name for name in answers if stopped in colours[name]} == {"epic", "runolfsson"}
    assert ImageColor.getrgb(CORRIDOR) in colours["emlia"]
    assert clear not in colours["true"]


def boxes_of(count: int, wide: int, high: int) -> list[tuple[int, int, int, int]]:
    """Return the parts of a sheet in two columns, by rows."""
    rows = -(-count // 2)
    return [
        (
            number % 2 * wide // 2, number // 2 * high // rows,
            (number % 2 + 1) * wide // 2, (number // 2 + 1) * high // rows,
        )
        for number in range(count)
    ]  # fmt: skip


def test_an_answer_by_other_rules_is_drawn_as_these_take_the_battle(
    run: Run, bandits: Path, tmp_path: Path
) -> None:
    words = ["sight", bandits, "archers", "bandits", "--rules", "oathmark"]

    assert run([*words, "--picture", "lines.png"]).status == 0

    with Image.open(tmp_path / "lines.png") as picture:
        green = np.argwhere(
            (np.asarray(picture.convert("RGB")) == ImageColor.getrgb(CLEAR)).all(axis=-1)
        )
    assert len(green) > 100
    assert np.ptp(green[:, 0]) > 300, "the lines run from one unit to the other"


def test_it_draws_the_corridor(run: Run, bandits: Path, tmp_path: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--picture", "corridor.png"])

    assert told.status == 0
    assert (tmp_path / "corridor.png").read_bytes().startswith(b"\x89PNG")
    refused = run(["sight", bandits, "archers", "bandits", "--picture", "corridor.txt"])
    assert (refused.status, len(refused.complaints)) == (2, 1)
