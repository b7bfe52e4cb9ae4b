"""Checks of graphics, libraries and settings, with hints for installation."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from emlia3d import __version__
from emlia3d.cli import settings
from emlia3d.cli.writing import echo
from emlia3d.errors import RuleSystemError
from emlia3d.scenario.systems import InstalledSystems

LIBRARIES = ("numpy", "shapely", "panda3d", "pillow")
EXTRAS = (("rasterio", "geo", "GeoTIFF, read and written"),)
KERNELS = Path(__file__).parents[1] / "_ext"


def print_findings(*, as_json: bool) -> None:
    """Answer ``emlia3d doctor``."""
    if as_json:
        found: dict[str, list[str]] = {}
        for topic, finding in _findings():
            found.setdefault(topic, []).append(finding)
        echo(json.dumps(found, ensure_ascii=False))
        return
    for topic, finding in _findings():
        echo(f"{topic:<10}{finding}")


def _findings() -> Iterator[tuple[str, str]]:
    yield "emlia3d", __version__
    yield "python", f"{platform.python_version()} on {platform.platform()}"
    yield "cores", str(os.cpu_count() or 1)
    yield "kernels", _kernels()
    for library in LIBRARIES:
        yield library, _version(library) or f"not installed: pip install {library}"
    for library, extra, purpose in EXTRAS:
        lacking = f"not installed, for {purpose}: pip install 'emlia3d[{extra}]'"
        yield library, _version(library) or lacking
    yield from _rules()
    yield from _displays()
    yield from _settings()


def _kernels() -> str:
    """Return whether every compiled module with a type stub exists."""
    stubs = (stub.relative_to(KERNELS).with_suffix("") for stub in KERNELS.rglob("*.pyi"))
    names = sorted(".".join(stub.parts) for stub in stubs)
    lacking = [name for name in names if find_spec(f"emlia3d._ext.{name}") is None]
    if lacking:
        return f"not built: {', '.join(lacking)}; in the checkout, pip install -e ."
    return ", ".join(names)


def _rules() -> Iterator[tuple[str, str]]:
    """Yield the name of each rule system, or its error."""
    systems = InstalledSystems()
    for name in systems:
        try:
            package = systems.package(name)
            whose = f" (package {package[0]} {package[1]})" if package else ""
            yield "rules", f"{name}: {systems[name].title}{whose}"
        except RuleSystemError as fault:
            yield "rules", str(fault)


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _settings() -> Iterator[tuple[str, str]]:
    """Yield the path of the window's settings, and their errors."""
    kept = settings.read(settings.place())
    if kept.diagnostics:
        for diagnostic in kept.diagnostics:
            yield "settings", diagnostic
    else:
        found = "" if kept.place.exists() else " (missing: defaults apply)"
        yield "settings", f"{kept.place}{found}"


def _displays() -> Iterator[tuple[str, str]]:
    from emlia3d.view.panda.display import Display, survey  # noqa: PLC0415  loaded to draw only

    ways = survey()
    for way in ways:
        where = "window" if way.onscreen else "picture"
        finding = str(way) if isinstance(way, Display) else f"{way.pipe}: {way.reason}"
        yield where, finding
    if not any(isinstance(way, Display) for way in ways):
        yield "picture", "none; on Debian or Ubuntu: apt install libx11-6"
