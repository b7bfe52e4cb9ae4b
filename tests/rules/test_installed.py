"""Rule systems of this program are found by their folders."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import emlia3d.rules
from emlia3d.rules.installed import OWN, installed
from emlia3d.scenario.systems import InstalledSystems

FOLDER = Path(emlia3d.rules.__path__[0])


@pytest.mark.parametrize("name", OWN)
def test_a_folder_of_rules_is_a_rule_system_of_its_name(name: str) -> None:
    systems = InstalledSystems()

    assert systems[name].name == name
    assert systems.package(name) is None


def test_one_more_folder_is_one_more_rule_system(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "__init__.py").touch()
    (tmp_path / "slugs").mkdir()
    for name in ("__init__.py", "installed.py"):
        (tmp_path / name).write_text((FOLDER / name).read_text("utf-8"), "utf-8")
    program = (
        f"import emlia3d.rules; emlia3d.rules.__path__ = [{str(tmp_path)!r}]\n"
        "from emlia3d.rules.installed import installed; print(installed()['cards'].value)"
    )

    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert printed.stdout == "emlia3d.rules.cards:SYSTEM\n"


def test_no_folder_without_modules_is_a_rule_system() -> None:
    assert "slugs" not in installed()
    assert "rulebook" not in installed()
