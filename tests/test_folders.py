"""Folders depend on each other in one direction, none holds too much, and names are unique."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (ROOT / "emlia3d").rglob("*.py")
}
MOST_MODULES = 25


def folder_of(module: str) -> str:
    """The folder of a module, written with dots; a package lies in its own folder."""
    return ".".join(MODULES[module].parent.relative_to(ROOT).parts)


def imported_by(module: str) -> Iterator[str]:
    """Modules of the package that a module imports, in functions and for type checks too."""
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                found = whole if whole in MODULES else node.module
                if found in MODULES:
                    yield found


def is_inside(folder: str, other: str) -> bool:
    """Return whether a folder is another one, or lies somewhere in it."""
    return f"{folder}.".startswith(f"{other}.")


def test_no_two_folders_import_each_other() -> None:
    imports: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in sorted(MODULES):
        for other in imported_by(module):
            ours, theirs = folder_of(module), folder_of(other)
            if not is_inside(ours, theirs) and not is_inside(theirs, ours):
                imports[ours, theirs].append(f"{module} imports {other}")

    assert len(imports) > 100
    found = {pair: lines for pair, lines in imports.items() if pair[::-1] in imports}
    assert found == {}


def test_no_folder_holds_too_many_modules() -> None:
    counts = Counter(
        folder_of(module) for module in MODULES if MODULES[module].name != "__init__.py"
    )

    assert {folder: count for folder, count in counts.items() if count > MOST_MODULES} == {}


MIRRORS = {
    ("rules", "battle"): "a system answers what play asks of it",
    ("rules", "rulekit"): "a system fills in what systems are built with",
    ("rules", "field"): "the rules for what stands on a field",
    ("rulekit", "battle"): "what systems share implements what play asks",
    ("view", "battle"): "a picture or a sheet of what play knows",
    ("view", "rulekit"): "a picture or a sheet of what a side knows",
    ("view", "field"): "the picture of what stands on a field",
    ("view", "geometry"): "the picture of a shape",
    ("view", "rules"): "a picture or a sheet of what a system answers",
    ("view.panda", "view"): "the drawing of what is described",
    ("cli", ""): "a command is named for what it asks about",
    ("scenario", "dem"): "one question, of a field and of a raster",
    ("scenario", "rules"): "what a scenario leaves to its system",
    ("studies.baselines", "geometry"): "the baseline of a kernel",
}
"""Folders whose modules may have the names of modules in another one, and why."""
ASPECTS = ("tables", "events", "words", "report", "commander", "play")
"""Folders of a system, each with one aspect of the same chapters."""


def may_share_a_name(one: str, other: str) -> bool:
    """Return whether two modules of one name mirror each other on purpose."""
    ours, theirs = (
        folder_of(one).removeprefix("emlia3d."),
        folder_of(other).removeprefix("emlia3d."),
    )
    if ours.startswith("rules.") and theirs.startswith("rules."):
        _, system, *rest = ours.split(".")
        _, other_system, *other_rest = theirs.split(".")
        return system != other_system or (
            {*rest[:1], *other_rest[:1]} <= {*ASPECTS} and rest != other_rest
        )
    return any(
        is_inside(ours, upper) and (not lower or is_inside(theirs, lower))
        for upper, lower in MIRRORS
    )


def test_no_two_modules_share_a_name_but_mirrors() -> None:
    by_name = defaultdict[str, list[str]](list)
    for module in sorted(MODULES):
        if MODULES[module].name != "__init__.py":
            by_name[MODULES[module].stem].append(module)

    found = {
        pair
        for modules in by_name.values()
        for pair in combinations(modules, 2)
        if not may_share_a_name(*pair) and not may_share_a_name(*pair[::-1])
    }
    assert found == set()


def may_share_a_class_name(one: str, other: str) -> bool:
    """Return whether classes of two modules may have one name.

    Each system words its own rulebook, and implements what all systems share under that name.
    """
    ours, theirs = (folder_of(module).split(".")[1:3] for module in (one, other))
    above = {("battle",), ("rulekit",)}
    if ours[:1] == theirs[:1] == ["rules"]:
        return ours[1:] != theirs[1:]
    return (ours[:1] == ["rules"] and tuple(theirs[:1]) in above) or (
        theirs[:1] == ["rules"] and tuple(ours[:1]) in above
    )


def test_no_two_modules_define_a_class_of_one_name() -> None:
    by_name = defaultdict[str, list[str]](list)
    for module, path in sorted(MODULES.items()):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                by_name[node.name].append(module)

    assert len(by_name) > 500
    found = {
        (name, *pair)
        for name, modules in by_name.items()
        for pair in combinations(modules, 2)
        if pair[0] != pair[1] and not may_share_a_class_name(*pair)
    }
    assert found == set()
