"""Possible outcomes of an attack, with every modifier and probability."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.odds import CheckOdds, Odds, Spread, UnitOutcome, exact, mean, to_json
from emlia3d.cli.scenario.position import position_in
from emlia3d.cli.writing import echo

_WIDTH = 96
_SHOWN = 0.0005
"""Minimum probability of a value in the text; the JSON document has all values."""


def show_odds(  # noqa: PLR0913  the options of the command
    scenario: str,
    attacker: str,
    target: str,
    *,
    action: str | None,
    weapon: str | None,
    at: int | None,
    as_json: bool,
) -> int:
    """Answer ``emlia3d odds SCENARIO ATTACKER TARGET``; return the exit status."""
    found = position_in(scenario, at).odds(attacker, target, action, weapon)
    echo(json.dumps(to_json(found), ensure_ascii=False) if as_json else in_words(found))
    return 0 if found.refusal is None else 1


def in_words(odds: Odds) -> str:
    """Return the paragraph, the checks with their rows, and the probabilities as text."""
    lines = textwrap.wrap(odds.text, _WIDTH, break_on_hyphens=False)
    for check in odds.checks:
        lines += ["", *_of_check(check)]
    if odds.refusal is None:
        lines += ["", *_of_spread(f"hits of {odds.attacker}", odds.hits)]
    for name, fate in odds.fates.items():
        lines += _of_fate(name, fate)
    if odds.decisions:
        lines += ["", "Decided on the way:", *(f"  {told}" for told in odds.decisions)]
    return "\n".join(lines)


def _of_check(check: CheckOdds) -> Iterator[str]:
    dice = "1 die" if check.dice == 1 else f"{check.dice} dice"
    fraction = exact(check.chance)
    yield (
        f"{check.unit} against {check.target}: {dice} at {check.modifier:+d}, "
        f"{percent(check.chance)} ({fraction}) each, {float(check.expected):.2f} on average"
    )
    width = max((len(row.name) for row in check.rows), default=0)
    for row in check.rows:
        yield f"  {row.figure:+3d}  {row.name:{width}}  {row.slug}"


def _of_fate(name: str, fate: UnitOutcome) -> Iterator[str]:
    yield ""
    if any(fate.points):
        yield from _of_spread(f"damage to {name}", fate.points)
        yield from _of_spread(f"losses of {name}", fate.lost)
        yield f"{name} destroyed: {percent(fate.destroyed)}"
    if fate.morale:
        yield from _of_spread(f"morale of {name}", fate.morale)
    for slug, chance in fate.because.items():
        yield f"  {percent(chance):>10}  {slug}"


def _of_spread(what: str, spread: Spread) -> list[str]:
    """Return every sufficiently probable value with its probability."""
    cells = ", ".join(
        f"{value}:\u00a0{percent(chance)}" for value, chance in spread.items() if chance >= _SHOWN
    )
    whole = sum(spread.values())
    told = f"{what}, {float(mean(spread) / whole):.2f} on average: {cells}"
    lines = textwrap.wrap(told, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\u00a0", " ") for line in lines]
