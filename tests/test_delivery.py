"""What the project says of itself in several files agrees: Pythons, version, smoke test."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import emlia3d

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = ROOT / ".github" / "workflows"


def test_every_python_has_a_classifier_wheels_and_tests() -> None:
    classifiers = "\n".join(SETTINGS["project"]["classifiers"])
    (matrix,) = re.findall(r"^ +python: \[(.*)\]$", (WORKFLOWS / "ci.yml").read_text("utf-8"), re.M)

    pythons = re.findall(r"Python :: (3\.\d+)$", classifiers, re.M)
    assert pythons[0] == SETTINGS["project"]["requires-python"].removeprefix(">=")
    assert re.findall(r"[\d.]+", matrix) == pythons
    assert SETTINGS["tool"]["cibuildwheel"]["build"] == [
        f"cp{python.replace('.', '')}-*" for python in pythons
    ]


def test_the_oldest_libraries_of_the_workflow_are_those_of_the_package() -> None:
    (script,) = re.findall(r"sed -n 's/(.*)/(.*)/p'", (WORKFLOWS / "ci.yml").read_text("utf-8"))
    pattern = script[0].replace(r"\(", "(").replace(r"\)", ")").replace(r"\|", "|")

    found = dict(re.findall(pattern, (ROOT / "pyproject.toml").read_text("utf-8"), re.M))

    assert sorted(found) == ["numpy", "shapely"]
    for name, version in found.items():
        assert f"{name}>={version}" in SETTINGS["project"]["dependencies"]


def test_the_packed_sources_have_the_smoke_test_of_the_wheels() -> None:
    workflow = (WORKFLOWS / "wheels.yml").read_text("utf-8")

    found = re.findall(r"^ +(emlia3d .*)$", workflow, re.M)

    assert found == SETTINGS["tool"]["cibuildwheel"]["test-command"]


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")

    assert f"\nversion: {emlia3d.__version__}\n" in citation
