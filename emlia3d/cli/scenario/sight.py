"""Sight questions about two units of a scenario."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emlia3d.battle.formatting import percent
from emlia3d.battle.questions.answer import (
    AnyAnswer,
    CorridorAnswer,
    GeometricAnswer,
    SightAnswer,
    to_json,
)
from emlia3d.cli.scenario.position import position_in
from emlia3d.cli.scenario.saved_answer import SavedAnswer, compare, read_saved
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import Error
from emlia3d.scenario import Scenario
from emlia3d.scenario.pairs import as_taken_by
from emlia3d.scenario.systems import ALL, TRUE

if TYPE_CHECKING:
    from PIL import Image

_WIDTH = 96


def show_sight(  # noqa: PLR0913  the options of the command
    scenario: str,
    observer: str,
    target: str,
    *,
    at: int | None,
    rules: str | None,
    damage: int | None,
    what_if: bool,
    as_json: bool,
    picture: Path | None,
    verify: Path | None,
) -> int:
    """Answer ``emlia3d sight SCENARIO OBSERVER TARGET``."""
    saved = None if verify is None else read_saved(verify)
    if saved is not None:
        rules = _as_saved(saved, rules)
        what_if |= saved.what_if
        damage = saved.damage if damage is None else damage
    _look_at_options(rules, damage, what_if, picture)
    asked = position_in(scenario, at)
    found = asked.sight(observer, target, rules, damage or 0, what_if, partial(echo, err=True))
    if picture is not None:
        _draw(asked, found, picture)
    if saved is not None:
        return compare(saved, found)
    echo(_document(found) if as_json else "\n\n\n".join(map(in_words, _each(found))))
    return 0


def _as_saved(saved: SavedAnswer, rules: str | None) -> str:
    """Return the rules of a saved answer; raise Error if the options name others."""
    if rules is not None and rules != saved.rules:
        raise Error(f"{saved.file}: this answer is by the rules {saved.rules}, not {rules}")
    return saved.rules


def _look_at_options(
    rules: str | None, damage: int | None, what_if: bool, picture: Path | None
) -> None:
    """Raise Error for options that exclude each other."""
    check_writable(picture)
    if rules == TRUE and damage is not None:
        raise Error("--damage: geometry has no cover against an attack; omit this option")
    if rules in {TRUE, ALL} and what_if:
        raise Error(f"--what-if: cannot be combined with --rules {rules}")


def _draw(asked: Scenario, found: AnyAnswer | dict[str, AnyAnswer], picture: Path) -> None:
    """Draw an answer in its own form, or several answers on one sheet."""
    from emlia3d.view.plans.answersheet import sheet_of  # noqa: PLC0415  loaded to draw only
    from emlia3d.view.plans.keeping import keep  # noqa: PLC0415

    if not isinstance(found, dict):
        keep(_picture(asked, found), picture)
        return
    titles = {name: asked.systems[name].title for name in found if name != TRUE}
    pictures = {titles.get(name, "Plain geometry"): _picture(asked, found[name]) for name in found}
    keep(sheet_of(pictures), picture)


def _picture(asked: Scenario, answer: AnyAnswer) -> Image.Image:
    """Return the picture of the corridor or the lines of an answer, or of the view from the eye."""
    from emlia3d.battle.plain_geometry.solids import solids_of  # noqa: PLC0415  loaded to draw only
    from emlia3d.view.plans.eyepicture import eye_picture  # noqa: PLC0415
    from emlia3d.view.plans.lineplan import lines_picture  # noqa: PLC0415
    from emlia3d.view.plans.sightplan import corridor_picture  # noqa: PLC0415

    if isinstance(answer, GeometricAnswer):
        battle = asked.position()
        return eye_picture(battle.setup, solids_of(battle), answer)
    moment = as_taken_by(asked, answer.rules)
    if isinstance(answer, CorridorAnswer):
        return corridor_picture(moment.setup, moment.state, answer)
    return lines_picture(moment.setup, moment.state, answer)


def _each(found: AnyAnswer | dict[str, AnyAnswer]) -> list[AnyAnswer]:
    return list(found.values()) if isinstance(found, dict) else [found]


def _document(found: AnyAnswer | dict[str, AnyAnswer]) -> str:
    """Return one JSON document: an answer, or the answers of all rule systems by name."""
    body: dict[str, Any]
    if isinstance(found, dict):
        body = {"answers": {name: to_json(answer) for name, answer in found.items()}}
    else:
        body = to_json(found)
    return json.dumps(body, ensure_ascii=False)


def in_words(answer: AnyAnswer) -> str:
    """Return the verdict, the paragraph and the rules as text."""
    paragraph = textwrap.wrap(answer.text, _WIDTH, break_on_hyphens=False)
    if isinstance(answer, GeometricAnswer):
        seen = percent(answer.visible_share) if answer.line_of_sight else "nothing"
        verdict = f"{answer.target}, from {answer.observer}: {seen} visible (plain geometry)"
        return "\n".join([verdict, "", *paragraph])
    return "\n".join(
        [
            f"{answer.target}, from {answer.observer}: {_verdict(answer)} ({answer.rules})",
            "",
            *paragraph,
            "",
            *_lines(answer),
            *(f"  {slug}" for slug in answer.because),
            *(_alterations(answer) if isinstance(answer, CorridorAnswer) else ()),
        ]
    )


def _verdict(answer: SightAnswer) -> str:
    if not isinstance(answer, CorridorAnswer):
        return answer.in_short
    return f"{answer.in_short}; {answer.degrees}"


def _lines(answer: SightAnswer) -> Iterator[str]:
    """Yield the number of clear lines, and the number that each body stops."""
    if not answer.lines:
        return
    clear = sum(line.clear for line in answer.lines)
    yield f"{clear} of {len(answer.lines)} lines clear"
    stopped = Counter(line.stopped_by for line in answer.lines if line.stopped_by is not None)
    yield from (f"  {count} stopped by {name}" for name, count in stopped.items())
    yield ""


def _alterations(answer: CorridorAnswer) -> Iterator[str]:
    """Yield the changes that would alter the concealment, if the answer has them."""
    if answer.changes is None:
        return
    yield ""
    yield (
        "Changes that alter it:" if answer.changes else "None of the tested changes would alter it."
    )
    yield from (f"  {change.text}" for change in answer.changes)
