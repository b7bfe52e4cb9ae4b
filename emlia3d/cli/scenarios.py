"""``emlia3d scenarios``: what ships, one line each."""

from __future__ import annotations

import typer

from emlia3d.scenario import shipped


def scenarios() -> None:
    """List the scenarios that ship."""
    found = shipped()
    width = max((len(name) for name, _, _ in found), default=0)
    for name, title, summary in found:
        typer.echo(f"{name:<{width}}  {title}{': ' if summary else ''}{summary}")
