"""Figures as people read them, the same in every explanation."""

from __future__ import annotations


def figure(number: float) -> str:
    """A number to two places, without idle zeros."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
