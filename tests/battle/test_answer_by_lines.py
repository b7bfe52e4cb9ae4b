"""Answers of rules without a corridor: in documents, in words, and beside those of other rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from emlia3d.battle.questions.answer import (
    CorridorAnswer,
    GroundShare,
    SightAnswer,
    cells_of,
    from_json,
    to_json,
)
from emlia3d.cli.scenario.saved_answer import compare, read_saved
from emlia3d.cli.scenario.sight import in_words
from emlia3d.field import Scale
from emlia3d.view.sight.sightcard import rows_of
from tests.view.sight.by_lines import ANSWER

CORRIDOR = CorridorAnswer(
    observer="archers",
    target="bandits",
    rules="nobody's",
    distance=35.0,
    line_of_sight=True,
    concealment="partial",
    cover="none",
    damage=2,
    datum=0.0,
    observer_height=9.0,
    target_height=3.0,
    observer_footing=8.0,
    target_footing=2.0,
    members=None,
    intervening=(),
    ground=GroundShare(blocked_share=0.25, to_half=0.0),
    because=("nobody.sight",),
    text="The ground is in the way.",
)


@pytest.mark.parametrize("answer", [ANSWER, replace(ANSWER, lines=(), verdict=""), CORRIDOR])
def test_an_answer_comes_back_from_its_document(answer: SightAnswer) -> None:
    back = from_json(json.loads(json.dumps(to_json(answer))))

    assert back == answer
    assert type(back) is type(answer)
    assert back.digest == answer.digest


def test_a_corridor_answer_is_written_as_before_there_were_lines() -> None:
    assert not {"verdict", "degree", "lines"} & cells_of(CORRIDOR).keys()
    assert CORRIDOR.digest == "f238645e188277fe25389dc19f2b0779d8c94d509b2e7737f9fa24ede27522e3"


def test_an_answer_by_lines_has_no_corridor_in_its_document() -> None:
    assert cells_of(ANSWER).keys() == {
        "observer", "target", "rules", "distance", "line_of_sight", "because", "text", "verdict",
        "degree", "lines",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"datum": 0.0}, "concealment"),
        ({"colour": "red"}, "colour: there is no such key"),
        ({"degree": "half"}, "degree"),
        ({"lines": [{"start": [0, 0], "end": [1, 1]}]}, r"lines\.0\.clear"),
        ({"verdict": "all of them"}, "digest"),
    ],
)
def test_an_altered_answer_is_refused(change: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        from_json(to_json(ANSWER) | change)


def test_an_answer_by_lines_in_words() -> None:
    told = in_words(ANSWER).splitlines()

    assert told[0] == "bandits, from archers: seen, 3 of the 5 in front (nobody's)"
    assert told[4:6] == ["3 of 5 lines clear", "  2 stopped by rock"]
    assert in_words(CORRIDOR).splitlines()[0] == (
        "bandits, from archers: seen; concealment partial, cover none against base damage 2 "
        "(nobody's)"
    )


def test_notebooks_show_the_verdict() -> None:
    assert ANSWER._repr_markdown_().startswith(
        "**archers sees bandits**: 3 of the 5 in front (nobody's)\n\n"
    )
    assert CORRIDOR._repr_markdown_().startswith(
        "**archers sees bandits**: concealment partial, cover none against base damage 2 "
        "(nobody's)\n\n"
    )


def test_a_saved_answer_is_compared_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(to_json(ANSWER)), "utf-8")
    saved = read_saved(file)
    cleared = tuple(replace(line, clear=True, stopped_by=None) for line in ANSWER.lines)

    assert compare(saved, ANSWER) == 0
    assert compare(saved, replace(ANSWER, lines=cleared[-1:], degree=1.0, verdict="all")) == 1

    told = capsys.readouterr().out
    assert "lines [64.0, 12.0] [64.0, 48.0]: clear was false, and is true" in told
    assert "lines [50.0, 12.0] [50.0, 48.0] was there, and is not" in told
    assert 'verdict was "3 of the 5 in front", and is "all"' in told
    assert (saved.damage, saved.what_if) == (None, False)


def test_a_saved_answer_of_another_kind_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(to_json(CORRIDOR)), "utf-8")

    assert compare(read_saved(file), ANSWER) == 1
    assert 'concealment was "partial", and is null' in capsys.readouterr().out


def test_words_leave_cover_out_where_no_attack_is_asked_about() -> None:
    without = replace(CORRIDOR, damage=0)

    assert CORRIDOR.degrees == "concealment partial, cover none against base damage 2"
    assert without.degrees == "concealment partial"
    assert ("cover against base damage 2", "none") in rows_of(CORRIDOR, Scale())
    assert not any("cover" in label for label, _ in rows_of(without, Scale()))
