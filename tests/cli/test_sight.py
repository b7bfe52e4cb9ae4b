"""`emlia3d sight`: in words, as a document, and a saved answer asked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import emlia3d

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
    assert paragraph[0].startswith("Of bandits, archers can see nothing (total concealment).")
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
    assert [line.split(" ")[1] for line in told.out.splitlines()] == ["intervening"]
    assert '"height": 5.0' in told.out
    assert '"height": 4.0' in told.out


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
    assert told.err.startswith(f"{saved}: no answer of emlia3d sight --json: ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["archer", "bandits"], 'no unit is called "archer"; did you mean archers?'),
        (["archers", "bandit"], 'no unit is called "bandit"; did you mean bandits?'),
        (["archers", "archers"], "observer and target are two units, not archers twice"),
        (["archers", "bandits", "--rules", "all"], 'sight by the rules "all" is not in this'),
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


def test_it_says_what_would_alter_the_verdict(run: Run, bandits: Path, saved: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--what-if"])
    saved.write_text(
        run(["sight", bandits, "archers", "bandits", "--what-if", "--json"]).out, encoding="utf-8"
    )

    lines = told.out.splitlines()
    assert lines[lines.index("What would alter it:") + 1] == (
        "  archers, 11.0625 higher: concealment none"
    )
    assert json.loads(saved.read_text("utf-8"))["changes"][0] == {
        "who": "archers", "what": "higher", "amount": 11.0625, "verdict": "none",
    }  # fmt: skip
    assert run(["sight", bandits, "archers", "bandits", "--verify", saved]).status == 0


def test_an_answer_that_lies_too_deep_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 200_000, encoding="utf-8")

    told = run(["sight", "bandits", "archers", "bandits", "--verify", "deep.json"])

    assert told.status == 2
    assert told.complaints == ["deep.json: no answer of emlia3d sight --json: it lies too deep"]


def test_it_draws_the_corridor(run: Run, bandits: Path, tmp_path: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--picture", "corridor.png"])

    assert told.status == 0
    assert (tmp_path / "corridor.png").read_bytes().startswith(b"\x89PNG")
    refused = run(["sight", bandits, "archers", "bandits", "--picture", "corridor.txt"])
    assert (refused.status, len(refused.complaints)) == (2, 1)
