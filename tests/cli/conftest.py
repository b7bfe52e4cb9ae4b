"""The commands, run as a person runs them, in a folder of their own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from emlia3d.cli import main

MAPS = Path(__file__).parents[2] / "maps"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command printed, and how it ended."""

    status: int
    out: str
    err: str

    @property
    def complaints(self) -> list[str]:
        return self.err.splitlines()


Run = Callable[[Sequence[str | Path]], Ran]


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's settings but those of a test change what it sees."""
    monkeypatch.setattr("emlia3d.cli.settings.sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in an empty folder without a display."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISPLAY", raising=False)

    def run_one(words: Sequence[str | Path]) -> Ran:
        capfd.readouterr()
        status = main([str(word) for word in words])
        out, err = capfd.readouterr()
        return Ran(status, out, err)

    return run_one


@pytest.fixture
def bandits() -> Path:
    """A small battle that ships."""
    return MAPS / "bandits.toml"


@pytest.fixture
def screen() -> Iterator[str]:
    """The name of an X display without a monitor."""
    server = shutil.which("Xvfb")
    if server is None:
        pytest.skip("Xvfb is not on this machine")
    words = [server, "-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        number = process.stdout.readline().strip()
        if not number:
            pytest.skip("Xvfb does not start on this machine")
        yield f":{number}"
        process.terminate()
