"""The rule system of the documentation: its files, and how they are installed for a test."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from emlia3d.rules import rulebook
from emlia3d.rules.catalogue import import_rule_modules

DOCS = Path(__file__).parents[2] / "docs"
STEPS, REFERENCE = DOCS / "adding-a-system.md", DOCS / "rule-systems.md"

_FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def files_of_steps() -> dict[str, str]:
    """Return the files that the page builds, by path."""
    return dict(_FILE.findall(STEPS.read_text("utf-8")))


def write_project(folder: Path) -> None:
    """Write the files of the page."""
    for name, text in files_of_steps().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def led_module() -> str:
    """Return the module of the reference that gives the system a commander by plan."""
    found = re.findall(r"```python\n(.*?)```", REFERENCE.read_text("utf-8"), re.DOTALL)
    (led,) = (block for block in found if "class LedPebbles(" in block)
    return led


def install(folder: Path, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the modules of the pages in a folder as an installed package with one system.

    module : with the system, "system" or "led"
    """
    package = folder / "pebbles"
    package.mkdir()
    modules = {Path(name): text for name, text in files_of_steps().items()}
    for path, text in modules.items():
        if path.suffix == ".py" and path.parts[0] == "pebbles":
            (folder / path).write_text(text, "utf-8")
    (package / "led.py").write_text(led_module(), "utf-8")
    info = folder / "pebbles-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[emlia3d.rules]\npebbles = pebbles.{module}:SYSTEM\n")
    (folder / "yard.toml").write_text(
        'format = 1\nrules = "pebbles"\ntitle = "Yard"\n[entry.children]\nmembers = 3\n'
    )
    monkeypatch.syspath_prepend(str(folder))
    # Modules are loaded again for each test, and each enters its rules.
    import_rule_modules()
    monkeypatch.setattr(rulebook, "RULES", dict(rulebook.RULES))
    for name in [name for name in sys.modules if name.split(".")[0] == "pebbles"]:
        monkeypatch.delitem(sys.modules, name)
