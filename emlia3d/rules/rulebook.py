"""The one list of rules: slug -> the function that is that rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])

RULES: dict[str, Callable[..., object]] = {}

ROWS: set[str] = set()
"""Slugs of `RULES` that are rows of a table."""


def rule(*slugs: str) -> Callable[[F], F]:
    """Enter a function in the rulebook under its slugs; the function itself stays as it is."""

    def enter(function: F) -> F:
        for slug in slugs:
            if RULES.setdefault(slug, function) is not function:
                raise ValueError(f"rule {slug!r} is entered twice")
        return function

    return enter


def rule_rows(*slugs: str) -> Callable[[F], F]:
    """Enter the function that reads a table under the slugs of the table's rows.

    Executing the function shows nothing of a single row: a test must make that row hold.
    """
    ROWS.update(slugs)
    return rule(*slugs)
