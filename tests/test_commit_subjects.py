"""Commit subjects are short and name their area; the check also runs as a commit-msg hook."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / ".ci" / "subjects"


def checked(message: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "COMMIT_EDITMSG"
    file.write_text(message, encoding="utf-8")
    return subprocess.run(["bash", CHECK, file], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "message",
    [
        "fix(emlia): use cell distance to find the nearest enemy\n\nWhy it was wrong.\n",
        "docs: correct a date\n",
        "# A comment of the editor\nperf(geometry): rebuild changed hull points in one pass\n",
        "fix(cli): " + "x" * 62,
    ],
)
def test_a_short_subject_with_a_type_passes(message: str, tmp_path: Path) -> None:
    assert checked(message, tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("fix(cli): " + "x" * 63, "73 characters (at most 72)"),
        ("Take who stands aslant to be as near as it is\n", "without type"),
        ("fix(cli):no blank\n", "without type"),
    ],
)
def test_any_other_subject_is_refused(message: str, reason: str, tmp_path: Path) -> None:
    result = checked(message, tmp_path)

    assert result.returncode == 1
    assert reason in result.stderr
    assert len(result.stderr.splitlines()) == 1
