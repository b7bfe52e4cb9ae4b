"""What holds for the code as a whole: layers, dice and clocks, sizes, what is packed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
from importlib import import_module
from pathlib import Path

import pytest

from emlia3d.rules.catalogue import SYSTEMS
from emlia3d.rules.installed import OWN

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "emlia3d"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/**/*.py")])
LONGEST = 400
OF_RULEBOOKS = (
    "emlia3d/rules/",
    "emlia3d/_ext/emlia/",
    *(f"emlia3d/studies/{task}.py" for task in ("fighting", "looking", "baselines/hits")),
)
"""Modules that may name a rulebook: of rulebooks, their kernels, tasks of ``emlia3d bench``."""


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> set[str]:
    """Every module named in an import statement, wherever in the file it stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return names


def importers(*modules: str) -> list[str]:
    """The files that import one of *modules* or of what lies in them."""
    tops = set(modules)
    return [
        place(path)
        for path in MODULES
        if any(name in tops or name.split(".")[0] in tops for name in imported(path))
    ]


def test_imports_go_one_way() -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_nothing_is_random_but_the_dice() -> None:
    assert importers("random", "secrets", "uuid", "numpy.random") == []
    # A study draws seeds and variants before it plays them.
    assert [place(path) for path in MODULES if "np.random" in path.read_text("utf-8")] == [
        "emlia3d/battle/dice.py",
        "emlia3d/studies/battles/design.py",
    ]


def test_only_commands_and_studies_look_at_the_clock() -> None:
    found = importers("time", "datetime")

    # Studies measure battles, and write their results every few seconds.
    allowed = ("emlia3d/cli/", "emlia3d/studies/battles/")
    assert [path for path in found if not path.startswith(allowed)] == []


def test_only_the_drawing_half_of_the_view_knows_panda3d() -> None:
    found = importers("panda3d", "direct")

    assert [path for path in found if not path.startswith("emlia3d/view/panda/")] == []


@pytest.mark.parametrize("kernel", sorted(ROOT.glob("ext/**/*.pyx")), ids=lambda path: path.stem)
def test_a_kernel_has_a_type_stub(kernel: Path) -> None:
    assert (PACKAGE / "_ext" / kernel.relative_to(ROOT / "ext")).with_suffix(".pyi").is_file()


def test_no_module_is_longer_than_four_hundred_lines() -> None:
    lengths = {
        place(path): len(path.read_text("utf-8").splitlines())
        for path in [*MODULES, *TESTS, *ROOT.glob("ext/**/*.p[xy][xd]")]
    }

    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_what_several_tests_share_is_in_no_file_of_tests() -> None:
    found = [place(path) for path in TESTS if any(".test_" in name for name in imported(path))]

    assert found == []


def test_every_module_and_all_data_are_packed(tmp_path: Path) -> None:
    words = ["egg_info", "--egg-base", tmp_path, "build_py", "--build-lib", tmp_path]
    subprocess.run(
        [sys.executable, "setup.py", "-q", *words], cwd=ROOT, check=True, capture_output=True
    )

    packed = {
        path.relative_to(tmp_path).as_posix()
        for path in tmp_path.glob("emlia3d/**/*.*")
        if path.is_file()
    }
    data = [
        *PACKAGE.rglob("*.pyi"),
        *PACKAGE.rglob("*.toml"),
        *PACKAGE.glob("rules/*/*.txt"),
    ]
    outside = [path for folder in ("maps", "models") for path in ROOT.glob(f"{folder}/*.*")]
    assert {place(path) for path in [*MODULES, *data]} <= packed
    assert {f"emlia3d/{place(path)}" for path in outside} <= packed
    assert not [name for name in packed if name.startswith(("emlia3d/tests", "emlia3d/ext"))]


def test_all_that_a_kernel_is_built_of_goes_with_the_packed_sources(tmp_path: Path) -> None:
    words = ["egg_info", "--egg-base", tmp_path, "sdist", "--dist-dir", tmp_path]
    subprocess.run(
        [sys.executable, "setup.py", "-q", *words], cwd=ROOT, check=True, capture_output=True
    )

    (packed,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(packed) as sources:
        names = {Path(name) for name in sources.getnames()}
    parts = {
        path.relative_to(ROOT)
        for path in ROOT.glob("ext/**/*")
        if path.suffix in {".pyx", ".pxd", ".h"}
    }
    packed_parts = {Path(*name.parts[1:]) for name in names if name.suffix}
    assert {path for path in packed_parts if path.parts[:1] == ("ext",)} == parts


NAMES = "|".join({*SYSTEMS, *OWN})
SYSTEM = re.compile(rf"\b(?:{NAMES})\b(?!\.[a-z])|emlia3d\.rules\.(?:{NAMES})\b", re.IGNORECASE)
"""The name of a rule system that does not begin a slug, or a module of one."""


def test_what_all_rule_systems_share_names_none_of_them() -> None:
    shared = [
        *(path for path in MODULES if not place(path).startswith(OF_RULEBOOKS)),
        *ROOT.glob("ext/*.*"),
    ]

    found = {
        f"{place(path)}:{number}"
        for path in shared
        if path.suffix in {".py", ".pyx", ".pxd", ".h"}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if SYSTEM.search(line)
    }

    assert found == set()


def test_importing_the_package_loads_neither_panda3d_nor_pydantic() -> None:
    program = "import sys, emlia3d; print([n for n in ('panda3d', 'pydantic') if n in sys.modules])"

    printed = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert printed.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "home",
    [
        "emlia3d", "emlia3d.rules.emlia", "emlia3d.rules.emlia.questions", "emlia3d.scenario",
        "emlia3d.scenario.questions", "emlia3d.view",
    ],
)  # fmt: skip
def test_every_name_that_is_loaded_on_demand_can_be_loaded(home: str) -> None:
    module = import_module(home)

    assert [name for name in module.__all__ if getattr(module, name, None) is None] == []


def test_every_path_in_the_description_of_the_architecture_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", page)

    assert len(named) > 20
    for path in named:
        bases = (ROOT / "emlia3d", ROOT / "emlia3d" / "rules" / "emlia")
        assert any((base / path).is_file() for base in bases), path
