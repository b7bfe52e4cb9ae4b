"""Emlia, chapters 5 and 7: abilities, as unit sets combine them out of a few effects.

An ability is data: it names one of these effects and its values. The program supports no other
effects, and never executes anything in a unit set.

Holds `emlia.ability` and the abilities of equipment (`emlia.equip.other.examples`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field, Strict, ValidationInfo, field_validator

from emlia3d.field import kind_named
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.tables.skills import SkillName
from emlia3d.rules.rulebook import rule

FormationName = Literal["open", "close", "ranked"]

MOST_GRANTED = 8
"""Maximum number of actions that a unit set gives a unit."""


def _kinds(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kind_named(name).name for name in names)


_Kinds = Annotated[tuple[str, ...], Strict(False), AfterValidator(_kinds)]


class Named(StrictModel):
    """Base of all abilities: a display name."""

    name: str = Field(min_length=1, description="a name in quotation marks")


class Modifier(Named):
    """Modifier to checks of one skill or of all skills."""

    effect: Literal["modifier"]
    skill: SkillName | None = Field(default=None, description="the name of a skill")
    add: int = Field(ge=-12, le=12, description="a whole number from -12 to 12")


class TerrainSpeed(Named):
    """An ability that reduces the speed lost on some ground to a share."""

    effect: Literal["movement"]
    terrain: _Kinds = Field(min_length=1, description="a list of kinds of terrain")
    penalty: float = Field(ge=0, le=1, description="a number from 0 to 1")


class Camouflage(Named):
    """Ability that makes sparse terrain conceal the unit as if solid."""

    effect: Literal["concealment"]
    terrain: _Kinds = Field(min_length=1, description="a list of kinds of terrain")


class Senses(Named):
    """Ability to find even far, totally concealed enemies (`emlia.aware.detect.impossible`)."""

    effect: Literal["senses"]


class ReachAbility(Named):
    """A longer combat range."""

    effect: Literal["reach"]
    add: float = Field(gt=0, le=100, description="a number of GSU above 0")


class Protection(Named):
    """Armour, a shield, a ward: more hits, which piercing weapons halve."""

    effect: Literal["hits"]
    add: int = Field(ge=1, le=1000, description="a whole number of hits from 1")


class FormationTraits(Named):
    """The effect of one of the three formations on the unit.

    allowed : whether its player may let it take the formation
    all_round : in ranks, enemies at its flanks or rear fight as if at its front
    speed_share : factor of its speed in the formation
    """

    effect: Literal["formation"]
    formation: FormationName = Field(description="open, close or ranked")
    allowed: bool = Field(default=True, description="true or false")
    all_round: bool = Field(default=False, description="true or false")
    speed_share: float = Field(default=1.0, ge=0, le=1, description="a number from 0 to 1")

    @field_validator("all_round")
    @classmethod
    def _of_ranks(cls, all_round: bool, info: ValidationInfo) -> bool:
        if all_round and info.data.get("formation", "ranked") != "ranked":
            raise ValueError("all_round needs ranked formation, because only ranks have a front")
        return all_round


class GrantedAction(Named):
    """Additional action with a skill check; each success has an effect.

    gives : "morale" to the subject (`amount` for each success), "order" to a disordered friend, or
        "hits" of base damage `amount` on an enemy
    range : GSU to the subject, nearest edges
    against : keywords of which the subject must have one; () allows any subject
    """

    effect: Literal["action"]
    kind: Literal["move", "primary", "free"] = Field(description="move, primary or free")
    skill: SkillName = Field(description="the name of a skill")
    improvised: bool = Field(default=False, description="true or false")
    subject: Literal["self", "friend", "enemy"] = Field(description="self, friend or enemy")
    range: float = Field(default=20.0, ge=0, le=10_000, description="a number of GSU from 0")
    modifier: int = Field(default=0, ge=-12, le=12, description="a whole number from -12 to 12")
    against: Annotated[tuple[str, ...], Strict(False)] = Field(
        default=(), description="a list of keywords"
    )
    gives: Literal["morale", "order", "hits"] = Field(description="morale, order or hits")
    amount: int = Field(default=1, ge=-7, le=100, description="a whole number from -7 to 100")


Ability: TypeAlias = Annotated[
    Modifier
    | TerrainSpeed
    | Camouflage
    | Senses
    | ReachAbility
    | Protection
    | FormationTraits
    | GrantedAction,
    Field(discriminator="effect"),
]

_BRUSH_AND_WOODS = ("shrub", "tree", "large-tree", "scrub", "hedge", "orchard", "forest")

EQUIPMENT: Mapping[str, Ability] = {
    "light armour": Protection(effect="hits", name="Light Armour", add=1),
    "ghillie suit": Camouflage(effect="concealment", name="Ghillie Suit", terrain=_BRUSH_AND_WOODS),
}
"""The book's examples, which a unit set may name."""


@rule("emlia.ability.catch-all")
def skill_bonus(abilities: Iterable[Ability], skill: str) -> int:
    """Return the bonus of abilities on every check of a skill."""
    return sum(
        ability.add
        for ability in abilities
        if isinstance(ability, Modifier) and ability.skill in {None, skill}
    )


@rule("emlia.ability.example-city-fighters")
def eased(cost: float, kind: str, abilities: Iterable[Ability]) -> float:
    """Return the cost of a GSU through a kind of terrain with these abilities; 1 is open.

    The penalty is the speed lost: of a cost of 2 it is half the speed, and half of that penalty
    leaves three quarters.
    """
    for ability in abilities:
        if isinstance(ability, TerrainSpeed) and kind in ability.terrain:
            cost = 1 / (1 - ability.penalty * (1 - 1 / cost))
    return cost


@rule("emlia.equip.other.examples.ghillie-suit", "emlia.equip.other.examples")
def makes_solid(kind: str, abilities: Iterable[Ability]) -> bool:
    """Return whether terrain of a kind conceals the wearer as if it were solid."""
    return any(isinstance(ability, Camouflage) and kind in ability.terrain for ability in abilities)


@rule("emlia.equip.other", "emlia.equip.other.examples.light-armour")
def protection(abilities: Iterable[Ability]) -> int:
    """Return the hits that protective abilities add."""
    return sum(ability.add for ability in abilities if isinstance(ability, Protection))


def added_reach(abilities: Iterable[Ability]) -> float:
    """Return the GSU that abilities add to the combat range."""
    return sum(ability.add for ability in abilities if isinstance(ability, ReachAbility))


def has_senses(abilities: Iterable[Ability]) -> bool:
    """Return whether the unit has the ability `Senses`."""
    return any(isinstance(ability, Senses) for ability in abilities)


def _drilled(abilities: Iterable[Ability], formation: str) -> list[FormationTraits]:
    return [
        ability
        for ability in abilities
        if isinstance(ability, FormationTraits) and ability.formation == formation
    ]


def allows(abilities: Iterable[Ability], formation: str) -> bool:
    """Return whether abilities let the unit's player choose a formation."""
    return all(ability.allowed for ability in _drilled(abilities, formation))


def is_all_round(abilities: Iterable[Ability], formation: str) -> bool:
    """Return whether the unit has neither flanks nor rear in a formation."""
    return any(ability.all_round for ability in _drilled(abilities, formation))


def speed_share(abilities: Iterable[Ability], formation: str) -> float:
    """Return the factor of the unit's speed in a formation."""
    return min((ability.speed_share for ability in _drilled(abilities, formation)), default=1.0)


@rule("emlia.attr.type")
def shares_keyword(keywords: Iterable[str], wanted: Iterable[str]) -> bool:
    """Return whether any keyword is among *wanted*; capital and small letters are alike."""
    return not {word.casefold() for word in keywords}.isdisjoint(map(str.casefold, wanted))


def granted(abilities: Iterable[Ability]) -> tuple[GrantedAction, ...]:
    """Return the unit's additional actions, in the printed order."""
    return tuple(ability for ability in abilities if isinstance(ability, GrantedAction))
