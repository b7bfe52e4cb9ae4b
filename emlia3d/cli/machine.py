"""The machine's properties that affect speed, without names of hosts or people."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import TypedDict

import numpy as np

from emlia3d.geometry.threads import cores


class Machine(TypedDict):
    """A machine and its software."""

    processor: str
    cores: int
    threads: int
    system: str
    python: str
    numpy: str


def machine() -> Machine:
    """Return the current machine."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        threads=cores(),
        system=platform.system(),
        python=platform.python_version(),
        numpy=np.__version__,
    )


def _processor() -> str:
    """Return the manufacturer's name of the processor."""
    told = Path("/proc/cpuinfo")
    if told.exists():
        for line in told.read_text("utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or platform.machine()
