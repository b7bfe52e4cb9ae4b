"""Sight answers that were saved with ``--json``: reading, and comparison with new answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import emlia3d
from emlia3d.battle.files.regular_file import regular
from emlia3d.battle.questions.answer import AnyAnswer, CorridorAnswer, from_json
from emlia3d.cli.writing import echo
from emlia3d.errors import FileError
from emlia3d.scenario.systems import ALL

# Lists in an answer, and the keys that identify their items.
_LISTS = {
    "intervening": ("entity",),
    "hiding": ("entity",),
    "changes": ("who", "what"),
    "lines": ("start", "end"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedAnswer:
    """The contents of a saved answer.

    rules : the rule system, or "all"
    answers : by the name of the rules
    programs : the versions that answered, without duplicates
    """

    file: Path
    rules: str
    answers: Mapping[str, AnyAnswer]
    programs: tuple[str, ...]

    @property
    def damage(self) -> int | None:
        """The base damage in the question; None if no rule system answered."""
        answers = self.answers.values()
        asked = [answer.damage for answer in answers if isinstance(answer, CorridorAnswer)]
        return asked[0] if asked else None

    @property
    def what_if(self) -> bool:
        """True if the question included changes that alter the answer."""
        return any(
            isinstance(answer, CorridorAnswer) and answer.changes is not None
            for answer in self.answers.values()
        )


def read_saved(file: Path) -> SavedAnswer:
    """Return the answers in a file; raise FileError if none can be used."""
    try:
        body = json.loads(regular(file).read_text("utf-8"))
        if isinstance(body, dict) and "answers" in body:
            return _of_all(file, body)
        answer = from_json(body)
    except RecursionError:
        raise FileError(
            f"{file}: not an answer of emlia3d sight --json: nested too deeply"
        ) from None
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise FileError(f"{file}: not an answer of emlia3d sight --json: not JSON") from None
    except ValueError as flaw:
        raise FileError(f"{file}: not an answer of emlia3d sight --json: {flaw}") from None
    return SavedAnswer(
        file=file,
        rules=answer.rules,
        answers={answer.rules: answer},
        programs=(body["program"],),
    )


def _of_all(file: Path, body: Mapping[str, Any]) -> SavedAnswer:
    if not isinstance(body["answers"], dict) or body.keys() != {"answers"} or not body["answers"]:
        raise ValueError("answers: expected an object of answers by the name of their rules, alone")
    answers = {name: from_json(each) for name, each in body["answers"].items()}
    for name, answer in answers.items():
        if answer.rules != name:
            raise ValueError(f"answers.{name}: this is an answer by the rules {answer.rules}")
    programs = dict.fromkeys(each["program"] for each in body["answers"].values())
    return SavedAnswer(file=file, rules=ALL, answers=answers, programs=tuple(programs))


def compare(saved: SavedAnswer, found: AnyAnswer | Mapping[str, AnyAnswer]) -> int:
    """Print whether a saved answer is still the same; return the exit status, 1 if it is not.

    Raises
    ------
    FileError
        The answer concerns other units.
    """
    now = found if isinstance(found, Mapping) else {saved.rules: found}
    _look_at_question(saved, now)
    others = [program for program in saved.programs if program != emlia3d.__version__]
    if others:
        told = f"version {', '.join(others)} answered then, and {emlia3d.__version__} now"
        echo(f"{saved.file}: {told}")
    status = 0
    for name, was in saved.answers.items():
        whose = f"{name}: " if saved.rules == ALL else ""
        if name not in now:
            echo(f"{saved.file}: {whose}this rule system is not installed here")
            status = 1
            continue
        is_now = now[name]
        if was.digest == is_now.digest:
            echo(f"{saved.file}: {whose}the same answer, {was.digest[:16]}")
            continue
        status = 1
        for key, before, after in _differences(asdict(was), asdict(is_now)):
            echo(f"{saved.file}: {whose}{key} was {before}, and is {after}")
    return status


def _look_at_question(saved: SavedAnswer, now: Mapping[str, AnyAnswer]) -> None:
    for name, was in saved.answers.items():
        asked = (was.observer, was.target)
        if name in now and asked != (now[name].observer, now[name].target):
            told = f"this is the answer to another question: {was.target}, from {was.observer}"
            raise FileError(f"{saved.file}: {told}")


def _differences(saved: dict[str, Any], now: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the differences; without text if values show them."""
    keys = [key for key in {**now, **saved} if saved.get(key) != now.get(key)]
    for key in keys if keys == ["text"] else [key for key in keys if key != "text"]:
        was: Any = saved.get(key)
        is_now: Any = now.get(key)
        listed = key in _LISTS and was is not None and is_now is not None
        found = list(_of_things(key, was, is_now)) if listed else []
        yield from found or [(key, _shown(was), _shown(is_now))]


def _of_things(
    key: str, saved: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, str, str]]:
    """Yield the differences of listed items by name."""
    before, after = (
        {" ".join(_word(each[part]) for part in _LISTS[key]): each for each in things}
        for things in (saved, now)
    )
    for name in dict.fromkeys((*before, *after)):
        was, is_now = before.get(name), after.get(name)
        if was is None or is_now is None:
            yield f"{key} {name}", *(("not there", "there") if was is None else ("there", "not"))
            continue
        for one in was:
            if was[one] != is_now[one]:
                yield f"{key} {name}: {one}", _shown(was[one]), _shown(is_now[one])


def _word(part: Any) -> str:
    return part if isinstance(part, str) else _shown(part)


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
