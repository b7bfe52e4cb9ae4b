"""The packed sources become a wheel, which runs in an environment without a compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.cli.environments import OFFLINE, Environment, create

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SMOKE = SETTINGS["tool"]["cibuildwheel"]["test-command"]
KERNELS = sorted(path.stem for path in ROOT.glob("ext/**/*.pyx"))

NOT_PACKED = (".*", "build", "dist", "tests", "benchmarks", "*.so", "*.pyd", "*.egg-info")
_PACK = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built of the packed sources.

    Kernels that this checkout has built of equal sources are not compiled again.
    """
    work = tmp_path_factory.mktemp("wheel")
    tree = shutil.copytree(ROOT, work / "tree", ignore=shutil.ignore_patterns(*NOT_PACKED))
    plain = {name: value for name, value in os.environ.items() if not name.startswith("EMLIA3D_")}
    pack = [sys.executable, "-c", _PACK, work]
    subprocess.run(pack, cwd=tree, env=plain, check=True, capture_output=True)
    (packed,) = work.glob("*.tar.gz")
    with tarfile.open(packed) as sources:
        sources.extractall(work / "unpacked", filter="data")
    (unpacked,) = (work / "unpacked").iterdir()
    if (ROOT / "build/kernels/fast").is_dir():
        shutil.copytree(ROOT / "build/kernels/fast", unpacked / "build/kernels/fast")
    build = [sys.executable, "-m", "pip", "wheel", *OFFLINE, "--wheel-dir", work, unpacked]
    subprocess.run(build, cwd=work, env=plain, check=True, capture_output=True)
    (built,) = work.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel, in which no compiler can be found."""
    home, folder = tmp_path_factory.mktemp("bare"), tmp_path_factory.mktemp("folder")
    found = create(home, folder, editable=False)
    found.variables.update(PATH=str(found.python.parent), CC="/nonexistent", CXX="/nonexistent")
    found.run("pip", "install", "--quiet", "--ignore-installed", *OFFLINE, wheel)
    return found


@pytest.mark.long
def test_a_wheel_holds_all_kernels_and_none_of_their_sources(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = [Path(name) for name in packed.namelist()]

    compiled = {path.name.split(".")[0] for path in names if path.suffix in {".so", ".pyd"}}
    assert compiled == {*KERNELS, "shared"}
    assert [path for path in names if path.suffix in {".pyx", ".pxd", ".c", ".h"}] == []
    assert {path.parts[0].split("-")[0] for path in names} == {"emlia3d"}


def test_it_is_this_package_that_runs(installed: Environment) -> None:
    assert shutil.which("cc", path=installed.variables["PATH"]) is None
    assert shutil.which("gcc", path=installed.variables["PATH"]) is None
    program = "import emlia3d, emlia3d._ext.corridor as c; print(emlia3d.__file__, c.__file__)"

    found = installed.run_program(installed.python, "-c", program).split()

    assert all(Path(name).is_relative_to(installed.python.parents[1]) for name in found)


@pytest.mark.parametrize("command", SMOKE)
def test_its_smoke_test_passes(command: str, installed: Environment) -> None:
    program, *words = shlex.split(command)

    printed = installed.run_program(installed.python.with_name(program), *words)

    assert printed.startswith(("emlia3d ", "Four warriors and a dragon", "bandits, from archers"))


def test_the_smoke_test_has_a_version_a_battle_and_a_sight_question() -> None:
    assert [command.split()[1] for command in SMOKE] == ["--version", "battle", "sight"]
