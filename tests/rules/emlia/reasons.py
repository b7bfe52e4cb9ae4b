"""The rules that an event names, by family."""

from __future__ import annotations

from emlia3d.battle.events import Event


def named(event: Event, *families: str) -> list[str]:
    """The slugs of an event in these families, without the rows that have figures.

    Each without its first word; *families* are beginnings such as "sight".
    """
    rows = event.facts.values().get("figures", ())
    assert isinstance(rows, tuple)
    slugs = event.because[: len(event.because) - len(rows)]
    short = [slug.removeprefix("emlia.") for slug in slugs]
    return [slug for slug in short if slug.partition(".")[0] in families]
