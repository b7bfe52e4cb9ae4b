"""Scenarios, loaded from a file, a bundled file, or the header of a battle file."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.flow import opening_event
from emlia3d.battle.setup import Setup
from emlia3d.battle.system import System
from emlia3d.errors import Error, FileError, LogError, RuleSystemError
from emlia3d.force.formation import LAYOUT_VERSION
from emlia3d.scenario import DEFAULT, questions
from emlia3d.scenario.bundled import named_file
from emlia3d.scenario.headers import (
    check_header,
    check_package,
    read_game_again,
    recorded_game,
    recorded_numbers,
    recorded_package,
)
from emlia3d.scenario.messages import NO_UNITS
from emlia3d.scenario.reading import ParsedScenario, read_scenario
from emlia3d.scenario.shelves import MAPS, map_folders
from emlia3d.scenario.sources import FolderSources, RecordedSources, Sources, read_text
from emlia3d.scenario.systems import Systems, or_installed
from emlia3d.scenario.tables.commander_names import appointed, recorded_commanders
from emlia3d.scenario.toml_lines import Document, read_document

if TYPE_CHECKING:
    from emlia3d.battle.questions.answer import AnyAnswer, GeometricAnswer, SightAnswer
    from emlia3d.battle.questions.area import Progress, SightArea
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.scenario.paths import FieldExposure, PathOptions
    from emlia3d.scenario.routes import FieldRoute, RouteOptions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scenario:
    """A scenario: it answers questions about its position, and starts battles.

    name : name in error messages and battle files
    path : path of its file; None if it comes from a battle file
    text : text of its file
    entries : unit-set entries that it uses, as in their files, by "set/entry"
    files : size and SHA-256 of the other files that it uses, by the names that it gives them
    systems : rule systems that can answer questions about it
    swapped : whether the sides have exchanged commanders
    appointed : commanders that replace the commanders of the file
    recorded : the recorded battle at the position that questions concern; None for the start
    """

    name: str
    path: Path | None
    text: str
    summary: str
    setup: Setup
    system: System
    entries: Mapping[str, Mapping[str, Any]]
    files: Mapping[str, Mapping[str, Any]]
    systems: Systems
    swapped: bool = False
    appointed: bool = False
    recorded: Battle | None = None

    @property
    def title(self) -> str:
        """The title in the file."""
        return self.setup.title

    def battle(self, seed: int = 0, turns: int | None = None) -> Battle:
        """Return a battle of the scenario before its first turn.

        turns : maximum number of turns; None for the scenario's

        Raises
        ------
        Error
            If the scenario has no units.
        """
        self.require_units()
        setup = self.setup if turns is None else dataclasses.replace(self.setup, turns=turns)
        return Battle(setup, self.system, seed)

    def position(self) -> Battle:
        """Return a copy of the battle at the position that questions concern."""
        return self.deployed() if self.recorded is None else self.recorded.fork()

    def at_position(self, battle: Battle) -> Scenario:
        """Return a copy of the scenario for questions about the current position of *battle*."""
        return dataclasses.replace(self, recorded=battle)

    def deployed(self) -> Battle:
        """Return the field and the units at the start, in their initial states.

        A field without units can be shown and answers questions, but cannot be played.
        """
        battle = Battle(self.setup, self.system, 0)
        if self.setup.units:
            battle.happen(opening_event(battle))
        return battle

    def require_units(self) -> None:
        """Raise Error if the scenario has no units, so that it cannot be played."""
        if not self.setup.units:
            raise Error(f"{self.name}: {NO_UNITS}")

    def with_sides_swapped(self) -> Scenario:
        """Return a copy in which the commander of the next side leads each side.

        It serves to compare commanders in uneven battles.

        Raises
        ------
        Error
            All sides have the same commander, or the scenario has no units.
        """
        self.require_units()
        led = {side.commander for side in self.setup.sides}
        if len(led) < 2:
            told = f"{' and '.join(side.name for side in self.setup.sides)} are led by {led.pop()}"
            raise Error(f"{self.name}: {told}; give one of them another commander to swap sides")
        setup = self.setup.with_sides_swapped()
        return dataclasses.replace(self, setup=setup, swapped=not self.swapped)

    def with_commanders(
        self, commanders: Mapping[str, str], time_limit_s: float | None = None
    ) -> Scenario:
        """Return a copy of the scenario with other commanders.

        commanders : commanders by side: "doctrine", "doctrine:bold", "random", or a commander in
            other code, such as "python:MODULE:CLASS" or "exec:COMMAND"
        time_limit_s : time limit for each answer of other code, seconds; None for the default

        Raises
        ------
        Error
            If there is no such side or commander.
        """
        try:
            setup = appointed(self.setup, self.system, commanders, time_limit_s)
        except Error as fault:
            raise Error(f"{self.name}: {fault}") from None
        return dataclasses.replace(self, setup=setup, appointed=True)

    def _repr_png_(self) -> bytes | None:
        """Return the notebook view: a picture of the start."""
        return questions.png_of(self.deployed())

    @overload
    def sight(
        self, observer: str, target: str, rules: Literal["true"], damage: int = 0,
        what_if: bool = False,
    ) -> GeometricAnswer: ...  # fmt: skip
    @overload
    def sight(
        self, observer: str, target: str, rules: Literal["all"], damage: int = 0,
        what_if: bool = False, refused: Callable[[RuleSystemError], None] | None = None,
    ) -> dict[str, AnyAnswer]: ...  # fmt: skip
    @overload
    def sight(
        self, observer: str, target: str, rules: None = None, damage: int = 0,
        what_if: bool = False,
    ) -> SightAnswer: ...  # fmt: skip
    @overload
    def sight(
        self, observer: str, target: str, rules: str | None, damage: int = 0,
        what_if: bool = False, refused: Callable[[RuleSystemError], None] | None = None,
    ) -> AnyAnswer | dict[str, AnyAnswer]: ...  # fmt: skip

    def sight(
        self, observer: str, target: str, rules: str | None = None, damage: int = 0,
        what_if: bool = False, refused: Callable[[RuleSystemError], None] | None = None,
    ) -> AnyAnswer | dict[str, AnyAnswer]:  # fmt: skip
        """Return what one unit sees of another in `position`, with the rules that decide.

        observer, target : names of units
        rules : a rule system; None for the scenario's own, "true" for geometry. With "all", return
            the answers of all installed systems and of geometry by name, the scenario's own first
        damage : base damage of the attack from which cover is computed; geometry ignores it
        what_if : whether to add the smallest changes that alter the concealment, which only the
            scenario's own rules can do; this takes longer
        refused : with "all", a function that is called with the error of each system without an
            answer; None to raise the first such error

        Raises
        ------
        Error
            If a unit does not exist or is not on the field, or if the rule system has no answer.
        """
        return questions.sight_of_pair(
            self, (observer, target), rules, damage, what_if=what_if, refused=refused
        )

    def odds(
        self, attacker: str, target: str, action: str | None = None, weapon: str | None = None
    ) -> Odds:
        """Return the possible outcomes of an attack in `position`, with exact probabilities.

        action : an attack of the rule system; None for the first legal attack
        weapon : name of a weapon; None for the first suitable one

        Raises
        ------
        Error
            If there is no such unit, attack or weapon, if a unit is not on the field, or if the two
            units are not enemies.
        """
        return questions.odds_of_pair(self, (attacker, target), action, weapon)

    def viewshed(
        self,
        *observers: str,
        height: float = 1.0,
        rules: str | None = None,
        cell: float | None = None,
        reverse: bool = False,
        progress: Progress | None = None,
    ) -> SightArea:
        """Return what observers see of a figure at the centre of each cell of the field.

        observers : names of units or sides, or points: "x,y", or "x,y,h" for a figure of height and
            size 1 that stands h height units above the ground
        height : height and size of the figure in each cell, height units
        rules : a rule system; None for the scenario's own, "true" for geometry
        cell : cell size, GSU; None for a size that takes a few seconds
        reverse : whether to return what the figure in each cell sees of the observers instead
        progress : called from time to time with the proportion done, 0 to 1

        Raises
        ------
        Error
            If a unit, side or point is not on the field, or if the rule system has no answer.
        """
        return questions.look_over(
            self, observers, height=height, rules=rules, cell=cell, reverse=reverse,
            progress=progress,
        )  # fmt: skip

    def exposure(
        self, path: Sequence[tuple[float, float]], *observers: str, **options: Unpack[PathOptions]
    ) -> FieldExposure:
        """Return the parts of a path on the field that observers see in `position`.

        path : its vertices, GSU
        observers : as for `viewshed`
        options : as for `emlia3d.scenario.paths.exposure_on_field`

        Raises
        ------
        Error
            The path or an observer is not on the field, or there are no observers.
        """
        return questions.exposure_on_field(self, path, observers, **options)

    def route(
        self, start: str, end: str, *observers: str, **options: Unpack[RouteOptions]
    ) -> FieldRoute:
        """Return the least exposed route between two points in `position`.

        start, end : "x,y" in GSU, or names of units
        observers : as for `viewshed`
        options : as for `emlia3d.scenario.routes.route_on_field`

        Raises
        ------
        Error
            An end or an observer is not on the field, or there is no route.
        """
        return questions.route_on_field(self, (start, end), observers, **options)

    def header(self, seed: int, turns: int | None = None) -> dict[str, Any]:
        """Return the data from which a battle file restores this battle, as JSON values."""
        return {
            "program": emlia3d.__version__,
            "layout": LAYOUT_VERSION,
            "name": self.name,
            "rules": self.setup.rules,
            "scenario": self.text,
            "entries": {kind: dict(entry) for kind, entry in sorted(self.entries.items())},
            "numbers": dataclasses.asdict(self.setup.numbers),  # type: ignore[call-overload]  # a frozen dataclass, says `System`
            "files": {name: dict(known) for name, known in sorted(self.files.items())},
            "seed": seed,
            "turns": self.setup.turns if turns is None else turns,
            **recorded_game(self.setup),
            **recorded_package(self.systems, self.setup.rules),
            **self._appointments(),
        }

    def _appointments(self) -> dict[str, Any]:
        """Return the commanders that differ from the file's."""
        if self.appointed:
            return recorded_commanders(self.setup, self.system)
        return {"swapped": True} if self.swapped else {}


def load(source: str | os.PathLike[str] = DEFAULT, systems: Systems | None = None) -> Scenario:
    """Return the scenario in a file, or a bundled scenario.

    source : a path, or the name of a bundled scenario such as ``"ridge"``
    systems : rule systems by name; None for all installed ones

    Raises
    ------
    ScenarioError
        If the file has errors. It lists all of them, each with its line.
    """
    path, name = named_file(source)
    document = read_text(path, name)
    known = or_installed(systems)
    reading = read_scenario(document, FolderSources(path.parent), known)
    return _scenario(document, path, reading, known)


def from_text(
    text: str, name: str, systems: Systems | None = None, sources: Sources | None = None
) -> Scenario:
    """Return the scenario in a text.

    name : its name in error messages
    systems : rule systems by name; None for all installed ones
    sources : source of the files that the scenario uses; None for the bundled files

    Raises
    ------
    ScenarioError
        If the text has errors. It lists all of them, each with its line.
    """
    document, known = read_document(name, text), or_installed(systems)
    reading = read_scenario(document, sources or FolderSources(MAPS), known)
    return _scenario(document, None, reading, known)


def from_header(
    header: Mapping[str, Any], folder: Path, systems: Systems | None = None
) -> Scenario:
    """Return the scenario of a battle file.

    header : the first line of the file
    folder : of the battle file; ground files are searched there, then among bundled files

    Raises
    ------
    LogError
        The header is incomplete, has an unknown layout version, or names a missing file.
    ScenarioError
        The header has invalid contents, or a file differs from the one at the start of the battle.
    """
    check_header(header)
    document = read_document(header["name"], header["scenario"])
    sources = RecordedSources(
        name=header["name"],
        entries=header["entries"],
        files=header["files"],
        folders=(Path(folder), *map_folders()),
    )
    known = or_installed(systems)
    check_package(header, known)
    reading = read_scenario(document, sources, known)
    for name in sorted(header["files"].keys() - reading.files.keys()):
        # Without that file, a raster is read without its reference system.
        try:
            sources.file(name)
        except FileError as fault:
            raise LogError(str(fault)) from None
    if not reading.setup.units:
        raise LogError(f"{document.name}: {NO_UNITS}")
    setup = dataclasses.replace(
        reading.setup, numbers=recorded_numbers(reading.setup.numbers, header["numbers"])
    )
    setup = read_game_again(reading.system, setup, header.get("game"))
    begun = _scenario(document, None, dataclasses.replace(reading, setup=setup), known)
    if "commanders" in header:
        return begun.with_commanders(header["commanders"])
    return begun.with_sides_swapped() if header.get("swapped") is True else begun


def _scenario(
    document: Document, path: Path | None, reading: ParsedScenario, systems: Systems
) -> Scenario:
    return Scenario(
        name=document.name,
        path=path,
        text=document.text,
        summary=reading.summary,
        setup=reading.setup,
        system=reading.system,
        entries=reading.entries,
        files=reading.files,
        systems=systems,
    )
