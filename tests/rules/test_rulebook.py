"""The rulebook against the catalogues: a missing test is a failing test."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from emlia3d.rules.catalogue import SYSTEMS, catalogue, explained, import_rule_modules, untested
from emlia3d.rules.rulebook import RULES

HERE = Path(__file__).parent

# Families whose figures and procedures stand in modules of their own. Add none: the rest of a
# family is looked for where some of it is.
SPLIT_FAMILIES = {
    "emlia.action",
    "emlia.activate",
    "emlia.align",
    "emlia.attr",
    "emlia.aware",
    "emlia.castle",
    "emlia.caveman",
    "emlia.conc",
    "emlia.cover",
    "emlia.damage",
    "emlia.disengage",
    "emlia.disorder",
    "emlia.engage",
    "emlia.entity",
    "emlia.equip",
    "emlia.fire",
    "emlia.forced",
    "emlia.form",
    "emlia.gloss",
    "emlia.hits",
    "emlia.lead",
    "emlia.measure",
    "emlia.melee",
    "emlia.meta",
    "emlia.mixed",
    "emlia.mixedeng",
    "emlia.morale",
    "emlia.move",
    "emlia.orders",
    "emlia.prepare",
    "emlia.primary",
    "emlia.push",
    "emlia.ranked",
    "emlia.resolve",
    "emlia.scenario",
    "emlia.sight",
    "emlia.skill",
    "emlia.skirmish",
    "emlia.terrain",
    "emlia.time",
    "emlia.unitset",
    "emlia.volley",
}


class Marks:
    """A pytest plugin that keeps the slugs of all collected tests."""

    def __init__(self) -> None:
        self.slugs: set[str] = set()
        self.bad: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("rule"):
                self.slugs.update(mark.args)
                if mark.kwargs or not mark.args:
                    self.bad.append(item.nodeid)


@pytest.fixture(scope="module")
def marks() -> Marks:
    """The marks of every conformance test there is, whichever tests were asked for."""
    found = Marks()
    options = ["--collect-only", "--quiet", "--quiet", "-p", "no:cacheprovider"]
    status = pytest.main([*options, f"--rootdir={HERE.parents[1]}", str(HERE)], plugins=[found])
    assert status == pytest.ExitCode.OK, "the conformance tests cannot be collected"
    return found


@pytest.fixture(scope="module", autouse=True)
def _rulebook() -> None:
    import_rule_modules()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_tested_rule_has_a_marked_test(system: str, marks: Marks) -> None:
    assert sorted(set(catalogue(system)) - set(untested(system)) - marks.slugs) == []


def test_every_untested_rule_of_emlia_is_explained() -> None:
    assert tuple(explained("emlia")) == untested("emlia")


def test_every_marked_slug_is_in_a_catalogue(marks: Marks) -> None:
    slugs = {slug for system in SYSTEMS for slug in catalogue(system)}

    assert sorted(marks.slugs - slugs) == []
    assert marks.bad == []


def test_every_implemented_slug_is_in_a_catalogue() -> None:
    slugs = {slug for system in SYSTEMS for slug in catalogue(system)}

    assert sorted(set(RULES) - slugs) == []


def test_a_slug_family_is_held_by_one_module() -> None:
    modules = defaultdict(set)
    for slug, function in RULES.items():
        modules[".".join(slug.split(".")[:2])].add(function.__module__)

    assert {family for family, held in modules.items() if len(held) > 1} == SPLIT_FAMILIES


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_catalogue_names_each_rule_once_in_order(system: str) -> None:
    slugs = catalogue(system)

    assert list(slugs) == sorted(set(slugs))
    assert all(slug.startswith(f"{system}.") for slug in slugs)
