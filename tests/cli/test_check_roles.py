"""``check`` names an unknown role with its line, in a unit set and in a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

SET = """\
format = 1
rules = "emlia"
title = "Own"

[entry.riders]
name = "Riders"
size = 1
height = 1
role = "riders"
"""


def test_an_unknown_role_of_a_unit_set_is_refused_with_its_line(run, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(SET, "utf-8")

    told = run(["check", "own.toml"])

    assert told.status == 2
    assert told.complaints == [
        "own.toml:9: role: expected fighters, shooters, cavalry, artillery, leader or ram, "
        'got "riders"; '
        "did you mean fighters?"
    ]


@pytest.mark.parametrize(("role", "status"), [("artillery", 0), ("gunners", 2)])
def test_a_unit_of_a_scenario_may_have_another_role(
    run, bandits: Path, tmp_path: Path, role: str, status: int
) -> None:
    text = bandits.read_text("utf-8")
    line = text[: text.index("[[unit]]")].count("\n") + 2
    text = text.replace("[[unit]]\n", f'[[unit]]\nrole = "{role}"\n', 1)
    (tmp_path / "a.toml").write_text(text, "utf-8")

    told = run(["check", "a.toml"])

    assert told.status == status
    begins = [one.startswith(f"a.toml:{line}: role: expected ") for one in told.complaints]
    assert begins == [True] * (status == 2)
