"""Emlia, chapters 3 and 23: a unit as a unit set prints it.

Holds `emlia.unitset.entry`, `emlia.caveman`, `emlia.entity.footprint` and those attributes whose
meaning is how they are printed.
"""

from __future__ import annotations

import functools
import math
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    Strict,
    ValidationInfo,
    field_validator,
    model_validator,
)

from emlia3d.field import Scale
from emlia3d.force.figure_models import Model
from emlia3d.force.roster import Troops
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.basics.arcs import Arc
from emlia3d.rules.emlia.basics.sizes import height_of, size_of
from emlia3d.rules.emlia.tables.modes import Movement, movements_of
from emlia3d.rules.emlia.tables.skills import Skill, SkillName, dice_notation, skill_of
from emlia3d.rules.emlia.unit_sets.abilities import (
    EQUIPMENT,
    Ability,
    FormationName,
    allows,
    protection,
)
from emlia3d.rules.emlia.unit_sets.additions import (
    AddedMode,
    Letter,
    check_skills,
    letters_of,
    skills_named,
)
from emlia3d.rules.emlia.unit_sets.hire import HireValue, Option
from emlia3d.rules.emlia.unit_sets.initiative_conditions import InitiativeCondition, MoraleCondition
from emlia3d.rules.emlia.unit_sets.roles import ROLES, RoleName
from emlia3d.rules.emlia.unit_sets.vital import VitalRow
from emlia3d.rules.emlia.unit_sets.weapon import Attack, Weapon
from emlia3d.rules.rulebook import rule, rule_rows

PERSONAL_SPACE_M = 2.0
"""Diameter of the footprint of a character of size 1, metres."""

_ROOT_GRID = 1024
_MOST_HITS = 1000

_skill_of = functools.cache(skill_of)


def _level_code(code: str) -> str:
    _skill_of(code)
    return code


def _known_skill(name: str, info: ValidationInfo) -> str:
    """Check a key of a table of skills, so that an error has the line of that key."""
    check_skills([name], info.data.get("added_skills", ()))
    return name


def _no_timing(printed: object) -> object:
    return None if printed == "none" else printed


LevelCode = Annotated[str, AfterValidator(_level_code)]


@rule("emlia.entity.footprint")
def footprint(size: float, scale: Scale) -> float:
    """Return the diameter of the footprint of one character of this size, GSU.

    2 m for size 1; it grows with the cube root of the size, because size measures volume. The root
    is rounded to 1/1024, which hides the last bit of any mathematical library.
    """
    root: float = round(size ** (1 / 3) * _ROOT_GRID) / _ROOT_GRID
    return scale.gsu_of_metres(PERSONAL_SPACE_M) * root


@rule("emlia.attr.size.domain")
def is_printable_size(size: float) -> bool:
    """Return whether a unit set may print a size: 1, 2, 3, ... or 1/2, 1/4, 1/8, ..."""
    return size == int(size) if size >= 1 else math.frexp(size)[0] == 0.5


@rule(
    "emlia.caveman",
    *(
        f"emlia.caveman.{line}"
        for line in (
            "name", "members", "keywords", "movement", "timing", "hits", "damage-limit", "morale",
            "size", "height", "arcs", "army-value", "hire-value", "initiative",
        )
    ),
    *(f"emlia.caveman.initiative.{number}" for number in (1, 2, 3, 4)),
)  # fmt: skip
class Entry(StrictModel):
    """A unit's statistics.

    model : the body that a picture shows
    role : its role for the AI; None if it follows from the other attributes
    timing : the step of the turn in which the unit activates; None if it never acts by itself
    hits, armour : resistance, and what armour adds to it
    arc_hits : hits against strikes in front, side and rear arc; replaces `hits`
    damage_limit : damage that removes one character; 1 if neither it nor a threshold is given
    threshold, vital_table, vital_dice : points of damage per roll, the table and its dice
    arc_vital_tables : tables for some of its arcs, in place of `vital_table`
    arcs : front, each side, rear; degrees
    equipment, abilities : of `emlia3d.rules.emlia.unit_sets.abilities`
    added_skills, added_modes : skills and modes of its unit set, besides the book's
    skills : level codes by the name of the skill
    starting_speed : speed of a unit with gears before the game, GSU
    combat_range : GSU; defaults to the size
    base : space of a figure across and along, METRES; defaults to the footprint of its size
    initiative : its initiative conditions, in order of priority
    morale_conditions : its behaviour at low morale; None follows the book's table
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    size: Annotated[float, BeforeValidator(size_of, json_schema_input_type=float | str)] = Field(
        gt=0, le=1_000_000, description="a size: 1, 2, 3, ... or 0.5, 0.25, ..."
    )
    height: Annotated[float, BeforeValidator(height_of, json_schema_input_type=float | str)] = (
        Field(gt=0, le=1_000_000, description="a number of height units above 0")
    )
    model: Model = Field(default="warrior", description="the body that is drawn")
    keywords: Annotated[tuple[str, ...], Strict(False)] = Field(
        default=(), description="a list of words"
    )
    role: RoleName | None = Field(default=None, description=f"one of {', '.join(ROLES)}")
    members: int = Field(default=1, ge=1, le=100_000, description="a whole number from 1")
    files: int | None = Field(default=None, ge=1, description="a whole number of files from 1")
    formation: FormationName = Field(default="open", description="open, close or ranked")
    added_skills: Annotated[tuple[str, ...], Strict(False)] = Field(
        default=(), description="a list of names of skills"
    )
    added_modes: dict[Letter, AddedMode] = Field(
        default={}, description="a table of capital letters, each with name and moves_as"
    )
    movement: str | None = Field(default=None, description='a code such as "15G"')
    timing: Annotated[int | None, BeforeValidator(_no_timing, json_schema_input_type=int | str)] = (
        Field(default=1, ge=0, le=100, description='a whole number from 0, or "none"')
    )
    hits: int = Field(default=1, ge=1, le=1000, description="a whole number of hits from 1")
    arc_hits: Annotated[tuple[int, int, int], Strict(False)] | None = Field(
        default=None, description="three whole numbers of hits from 1, [front, side, rear]"
    )
    armour: int = Field(default=0, ge=0, le=1000, description="a whole number of hits from 0")
    damage_limit: int | None = Field(
        default=None, ge=1, description="a whole number of damage points from 1"
    )
    threshold: int | None = Field(
        default=None, ge=1, description="a whole number of damage points from 1"
    )
    vital_table: Annotated[tuple[VitalRow, ...], Strict(False)] = Field(
        default=(),
        validate_default=True,
        description="a list of rows, each a table with faces and text",
    )
    arc_vital_tables: dict[
        Literal["front", "side", "rear"], Annotated[tuple[VitalRow, ...], Strict(False)]
    ] = Field(default={}, description="a table of front, side and rear, each a list of rows")
    vital_dice: str = Field(
        default="d12", validate_default=True, description='dice such as "d12" or "2d6"'
    )
    morale: int = Field(default=0, ge=-7, le=7, description="a whole number from -7 to 7")
    arcs: Annotated[tuple[float, float, float], Strict(False)] = Field(
        default=(180.0, 45.0, 90.0), description="three angles in degrees, [front, side, rear]"
    )
    equipment: Annotated[tuple[str, ...], Strict(False)] = Field(
        default=(), description="a list of pieces of equipment"
    )
    abilities: Annotated[tuple[Ability, ...], Strict(False)] = Field(
        default=(), validate_default=True, description="a list of tables, each an ability"
    )
    skills: dict[Annotated[SkillName, AfterValidator(_known_skill)], LevelCode] = Field(
        default={}, description='a table of skills and level codes such as "5/2"'
    )
    weapons: Annotated[tuple[Weapon, ...], Strict(False)] = Field(
        default=(), description="a list of tables, each a weapon"
    )
    army_value: float = Field(default=1.0, ge=0, description="a number from 0")
    hire_value: float = Field(default=0.0, ge=0, description="a number from 0")
    hire_values: Annotated[tuple[HireValue, ...], Strict(False)] = Field(
        default=(), description="a list of tables, each with a value and a condition"
    )
    options: dict[str, Option] = Field(
        default={},
        description="tables [entry.name.options.name], each with the values that it sets",
    )
    starting_speed: float | None = Field(
        default=None, ge=-10_000, le=10_000, description="a number of GSU, below 0 in reverse"
    )
    combat_range: float | None = Field(default=None, ge=0, description="a number of GSU from 0")
    base: Annotated[tuple[float, float], Strict(False)] | None = Field(
        default=None, description="the space of a figure [across, along] in metres"
    )
    initiative: Annotated[tuple[InitiativeCondition, ...], Strict(False)] = Field(
        default=(), description="a list of tables, each with when and do"
    )
    morale_conditions: Annotated[tuple[MoraleCondition, ...], Strict(False)] | None = Field(
        default=None, description="a list of tables, each with morale and act_as"
    )

    @model_validator(mode="before")
    @classmethod
    @rule(
        "emlia.attr.damage-measure", "emlia.entity.required-attributes", "emlia.attr.optional"
    )  # fmt: skip
    def _measured(cls, printed: Any) -> Any:
        """Set damage limit 1 if no measure is printed (`emlia.entity.required-attributes`)."""
        if not isinstance(printed, dict) or {"threshold", "damage_limit"} & printed.keys():
            return printed
        return {**printed, "damage_limit": 1}

    @field_validator("files")
    @classmethod
    def _enough_for_files(cls, files: int | None, info: ValidationInfo) -> int | None:
        members = info.data.get("members")
        if files is not None and members is not None and files > members:
            raise ValueError(f"{files} files are more than the {members} members")
        return files

    @field_validator("size")
    @classmethod
    def _size_in_domain(cls, size: float) -> float:
        if not is_printable_size(size):
            raise ValueError(f"size: expected 1, 2, 3, ... or 0.5, 0.25, 0.125, ..., got {size:g}")
        return size

    @field_validator("movement")
    @classmethod
    def _movement_code(cls, code: str | None, info: ValidationInfo) -> str | None:
        if code is not None:
            movements_of(code, letters_of(info.data.get("added_modes", {})))
        return code

    @field_validator("added_modes")
    @classmethod
    def _free_letters(cls, modes: dict[str, AddedMode]) -> dict[str, AddedMode]:
        letters_of(modes)
        return modes

    @field_validator("arcs")
    @classmethod
    @rule("emlia.attr.sight-arcs")
    def _full_circle(cls, arcs: tuple[float, float, float]) -> tuple[float, float, float]:
        front, side, rear = arcs
        if min(arcs) < 0 or front + 2 * side + rear != 360:
            raise ValueError(
                f"arcs are [front, side, rear] with front + 2 x side + rear = 360, not "
                f"{front + 2 * side + rear:g}"
            )
        return arcs

    @field_validator("vital_dice")
    @classmethod
    @rule("emlia.attr.vital-table", "emlia.gloss.vital-table")
    def _rows_for_all_faces(cls, text: str, info: ValidationInfo) -> str:
        count, sides = dice_notation(text)
        first = info.data.get("vital_table", ())
        for table in (first, *info.data.get("arc_vital_tables", {}).values()) if first else ():
            named = [face for row in table for face in range(row.faces[0], row.faces[1] + 1)]
            if sorted(named) != list(range(count, count * sides + 1)):
                raise ValueError(
                    f"the rows of a vital_table name each of the faces {count} to "
                    f"{count * sides} of {text} once"
                )
        return text

    @field_validator("base")
    @classmethod
    def _some_room(cls, base: tuple[float, float] | None) -> tuple[float, float] | None:
        if base is not None and (min(base) < 0.1 or max(base) > 1000):
            raise ValueError(
                "base: expected the space of a figure in metres, each from 0.1 to 1000"
            )
        return base

    # Checks of several attributes belong to the last of them, so that an error in another
    # attribute does not hide what they find; an attribute with an error is not in `info.data`.

    @field_validator("abilities")
    @classmethod
    def _may_take_its_formation(
        cls, abilities: tuple[Ability, ...], info: ValidationInfo
    ) -> tuple[Ability, ...]:
        check_skills(skills_named(abilities), info.data.get("added_skills", ()))
        worn = (EQUIPMENT[piece] for piece in info.data.get("equipment", ()))
        formation = info.data.get("formation")
        if formation is not None and not allows((*abilities, *worn), formation):
            raise ValueError(f"an ability does not allow its {formation} formation")
        return abilities

    @field_validator("vital_table")
    @classmethod
    @rule("emlia.unitset.entry")
    def _has_a_threshold(
        cls, table: tuple[VitalRow, ...], info: ValidationInfo
    ) -> tuple[VitalRow, ...]:
        if "threshold" in info.data and (info.data["threshold"] is None) != (not table):
            raise ValueError("threshold and vital_table: expected both or neither")
        return table

    @field_validator("arc_vital_tables")
    @classmethod
    def _has_a_table(
        cls, tables: dict[str, tuple[VitalRow, ...]], info: ValidationInfo
    ) -> dict[str, tuple[VitalRow, ...]]:
        if tables and info.data.get("vital_table") == ():
            raise ValueError("arc_vital_tables need a vital_table")
        return tables

    def vitals_in(self, arc: Arc) -> tuple[VitalRow, ...]:
        """Return the vital table for strikes in an arc."""
        return self.arc_vital_tables.get(arc.value, self.vital_table)

    @functools.cached_property
    def movements(self) -> tuple[Movement, ...]:
        """Modes of movement; empty if the unit cannot move."""
        if self.movement is None:
            return ()
        return movements_of(self.movement, letters_of(self.added_modes))

    def by_mode(self, mode: str) -> Movement | None:
        """Return its movement in a mode; None if it lacks the mode."""
        return next((one for one in self.movements if one.mode == mode), None)

    @functools.cached_property
    def melee_weapons(self) -> tuple[Weapon, ...]:
        """Weapons usable in close combat."""
        return self.weapons_for("melee")

    def weapons_for(self, attack: Attack) -> tuple[Weapon, ...]:
        """Return the weapons that it can use for an attack, in the printed order."""
        return tuple(weapon for weapon in self.weapons if weapon.serves(attack))

    @functools.cached_property
    def ranged_weapons(self) -> tuple[Weapon, ...]:
        """Weapons usable from afar."""
        return tuple(weapon for weapon in self.weapons if weapon.is_ranged)

    @field_validator("equipment")
    @classmethod
    def _known_equipment(cls, equipment: tuple[str, ...]) -> tuple[str, ...]:
        for piece in equipment:
            if piece not in EQUIPMENT:
                raise ValueError(f"unknown equipment {piece}; there is {', '.join(EQUIPMENT)}")
        return equipment

    @functools.cached_property
    def all_abilities(self) -> tuple[Ability, ...]:
        """Abilities, its equipment's included."""
        return (*self.abilities, *(EQUIPMENT[piece] for piece in self.equipment))

    @rule("emlia.attr.hits.by-arc")
    def hits_in(self, arc: Arc) -> int:
        """Return its hits against strikes in an arc."""
        return self.hits if self.arc_hits is None else self.arc_hits[tuple(Arc).index(arc)]

    @field_validator("arc_hits")
    @classmethod
    def _some_hits(cls, hits: tuple[int, int, int] | None) -> tuple[int, int, int] | None:
        if hits is not None and not all(1 <= number <= _MOST_HITS for number in hits):
            raise ValueError(
                f"arc_hits: expected whole numbers from 1 to {_MOST_HITS}, got {list(hits)}"
            )
        return hits

    @functools.cached_property
    def protection(self) -> int:
        """Hits that armour adds, worn or given by an ability."""
        return self.armour + protection(self.all_abilities)

    @rule("emlia.caveman.examples")
    @rule_rows("emlia.caveman.close-combat", "emlia.caveman.aimed-fire")
    @rule_rows("emlia.caveman.volley-fire")
    def skill(self, name: SkillName) -> Skill | None:
        """Return the level of a skill; None where the unit lacks it."""
        code = self.skills.get(name)
        return None if code is None else _skill_of(code)

    def troops(self, scale: Scale) -> Troops:
        """Return what the roster requires."""
        if self.base is None:
            width = depth = footprint(self.size, scale)
        else:
            width, depth = (scale.gsu_of_metres(side) for side in self.base)
        return Troops(model=self.model, width=width, depth=depth)
