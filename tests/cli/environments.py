"""Virtual environments that use the libraries of this interpreter, without a network."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass, field
from pathlib import Path

OFFLINE = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")


@dataclass(frozen=True)
class Environment:
    """A virtual environment, and a folder to work in.

    variables : of the processes, besides those that each has
    """

    python: Path
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, *words: str | Path, status: int = 0) -> str:
        """Run a module of Python as a program; return its output."""
        return self.run_program(self.python, "-m", *words, status=status)

    def run_program(self, *words: str | Path, status: int = 0) -> str:
        """Run a program without complaints; return its output."""
        own = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "PYTHONUTF8": "1"}
        ran = subprocess.run(
            words,
            cwd=self.folder,
            env=own | self.variables,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (status, ""), ran.stdout + ran.stderr
        return ran.stdout


def create(home: Path, folder: Path, *, editable: bool) -> Environment:
    """Create an environment without pip in *home*, which finds pip where this interpreter does.

    editable : also find packages that this interpreter has from their sources
    """
    venv.create(home, with_pip=False)
    paths = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    hosts = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    hosts |= dict.fromkeys([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])
    form = "import site; site.addsitedir({!r})\n" if editable else "{}\n"
    lines = "".join(form.format(host) for host in hosts)
    (Path(paths["purelib"]) / "host.pth").write_text(lines, "utf-8")
    return Environment(Path(paths["scripts"]) / Path(sys.executable).name, folder)
