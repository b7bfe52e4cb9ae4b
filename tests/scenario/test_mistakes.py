"""Every kind of mistake in a scenario has its line and says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.errors import ScenarioError
from emlia3d.scenario import check, load
from tests.scenario.conftest import line_of

Write = Callable[..., Path]
Systems = dict[str, Any]


def test_the_sound_scenario_is_sound(write: Write, systems: Systems) -> None:
    assert check(write(), systems) == ()


CASES = [
    # the heading
    ("turns = 6", "turns = 0", "turns = 0", "turns: expected a whole number of turns from 1"),
    ("turns = 6", 'turns = "6"', "turns =", 'from 1 to 1000, got "6"'),
    ("turns = 6", "turns = 6.5", "turns =", "got 6.5"),
    ("format = 1", "format = 2", "format", "format: expected 1"),
    ("turns = 6", "turns = 6\ntruns = 7", "truns", "unknown key truns; did you mean turns?"),
    ("turns = 6", "", None, "turns is missing: expected a whole number of turns"),
    ('rules = "emlia"', 'rules = "emlai"', "rules", "did you mean emlia?"),
    ("[[victory]]", "[house]\nstpe = 1\n[[victory]]", "stpe", "did you mean step?"),
    (
        "[[victory]]",
        '[house]\n"plain.shot.mod.fra" = 1\n[[victory]]',
        "plain.shot.mod.fra",
        "did you mean plain.shot.mod.far?",
    ),
    (
        "[[victory]]",
        '[house]\n"plain.shot.mod.far" = 0.5\n[[victory]]',
        "plain.shot.mod.far",
        "expected a whole number up to 1000, got 0.5",
    ),
    (
        "[[victory]]",
        "[house]\nstep = true\n[[victory]]",
        "step",
        "step: expected a number, got true",
    ),
    (
        "[[victory]]",
        f"[house]\nstep = {'9' * 400}\n[[victory]]",
        "step",
        "step: expected a number, got 9",
    ),
    ("[[victory]]", "[[victry]]\n[[victory]]", "[[victry]]", "did you mean victory?"),
    # the field
    (
        "size = [200, 100]",
        "size = [200]",
        "size",
        "size: expected two lengths [east, north] above 0",
    ),
    ("size = [200, 100]", "size = [200, -1]", "size", "and up to 32768 GSU, got -1"),
    ("size = [200, 100]", "size = [200, -1e308]", "size", "size: expected two lengths"),
    ("size = [200, 100]", "size = [32769, 100]", "size", "size: expected two lengths"),
    ("size = [200, 100]", "size = [200, nan]", "size", "size: expected"),
    (
        "size = [200, 100]",
        "size = [200, 100]\nmetres_per_gsu = 0",
        "metres_per_gsu",
        "metres_per_gsu: expected a number of metres from 0.0001 to 10000, got 0",
    ),
    (
        "size = [200, 100]",
        "size = [200, 100]\nmetres_per_gsu = 1e-300",
        "metres_per_gsu",
        "metres_per_gsu: expected a number of metres from 0.0001",
    ),
    (
        "size = [200, 100]",
        "size = [200, 100]\nmetres_per_gsu = 400",
        "metres_per_gsu",
        "the field, with its terrain, reaches 80000 m; 65536 m is as far as it may",
    ),
    (
        "size = [200, 100]",
        "size = [200, 100]\nmetres_per_height = 5e-324",
        "metres_per_height",
        "metres_per_height: expected a number of metres from 0.0001",
    ),
    (
        "size = [200, 100]",
        'size = [200, 100]\nground = "none.tif"',
        "ground",
        "there is no such file beside the scenario",
    ),
    (
        "size = [200, 100]",
        'size = [200, 100]\nground = "../other.npy"',
        "ground",
        "lies within it",
    ),
    (
        "size = [200, 100]",
        'size = [200, 100]\nground = "/etc/passwd"',
        "ground",
        "lies within it",
    ),
    (
        "size = [200, 100]",
        'size = [200, 100]\nground = { file = "a.tif", windwo = [0, 0, 1, 1] }',
        "ground",
        "did you mean window?",
    ),
    (
        "size = [200, 100]",
        'size = [200, 100]\nrelief = { kind = "ridg", line = [[0, 0], [9, 9]] }',
        "relief",
        "ridge",
    ),
    (
        "size = [200, 100]",
        "size = [200, 100]\nground = 7",
        "ground",
        "ground: expected the name of a file, or a table with a file, got 7",
    ),
    # terrain and areas
    (
        'kind = "rock"',
        'kind = "rok"',
        "kind",
        'unknown kind of terrain "rok"; did you mean roc',
    ),
    ('kind = "rock"', 'kind = "rock"\nheight = "tall"', "height", 'got "tall"'),
    ('kind = "rock"', 'kind = "rock"\nbody = "soft"', "body", "body: expected solid or sparse"),
    ('kind = "rock"', "", "[[terrain]]", "terrain: expected a kind, or else a height and a body"),
    (
        "[60, 30], [66, 30],",
        "[60, 30], [66, 36], [66, 30],",
        "outline",
        "crosses or touches itself",
    ),
    ("[66, 30], [66, 36],", "", "outline", "at least three different corners"),
    ("[60, 30], [66, 30],", "[60, 30], [66],", "outline", "outline: expected a list of points"),
    (
        'kind = "rock"',
        'kind = "rock"\nwidth = 3',
        "width",
        "path and width: expected both or neither",
    ),
    ("circle = [100, 50, 20]", "circle = [100, 50, 0]", "circle", "radius"),
    ("circle = [100, 50, 20]", "", "[[area]]", "expected one shape"),
    (
        'kind = "rock"',
        'kind = "rock"\nheight = 1e308',
        "height",
        "from -10000 to 10000, got 1e+308",
    ),
    ('name = "rock"', 'name = " "', 'name = " "', "name: expected a name in quotation marks"),
    ('name = "rock"', 'name = "hill"', "name", '"hill" is already the name of an object in line'),
    (
        'kind = "rock"',
        'kind = "rock"\nas = { emlia = "marhs" }',
        "as",
        'unknown terrain of emlia "marhs"; did you mean marsh?',
    ),
    (
        'kind = "rock"',
        'kind = "rock"\nas = { dbm = "RH" }',
        "as",
        'unknown rule system "dbm"; did you mean dbmm?',
    ),
    # sides
    (
        'name = "Bob"',
        'name = "Bob"\ncolour = "red"',
        "colour",
        'colour: expected a colour such as "#',
    ),
    ('name = "Bob"', 'name = "Bob"\nlines = "nort"', "lines", "did you mean north?"),
    ('name = "Bob"', 'name = "Bob"\ncommander = "doctrin"', "commander", "did you mean doctrine?"),
    ('name = "Bob"', 'name = "Bob"\nallies = ["Alise"]', "allies", "did you mean Alice?"),
    (
        "[[area]]",
        '[[side]]\nname = "Alice"\n[[area]]',
        "name",
        'another side is already called "Alice"',
    ),
    (
        'objective = "hill"',
        'objective = "hill"\ngeneral = "archer"',
        "general",
        'unknown unit "archer"; did you mean archers?',
    ),
    (
        'objective = "hill"',
        'objective = "hill"\ngeneral = "bandits"',
        "general",
        "general: expected a unit of Alice, got bandits of Bob",
    ),
    ('objective = "hill"', 'objective = "hil"', "objective", "did you mean hill?"),
    # units
    ('type = "emlia/longbowmen"', 'type = "emlia/longbow"', "type", "did you mean longbowmen?"),
    ('type = "emlia/longbowmen"', 'type = "emila/longbowmen"', "type", "did you mean emlia?"),
    ('type = "emlia/longbowmen"', 'type = "longbowmen"', "type", "a unit set and an entry"),
    ('type = "emlia/longbowmen"', 'type = "../x/y"', "type", "unknown unit set"),
    (
        "members = 20",
        "members = 0",
        "members",
        "members: expected a whole number of members from 1",
    ),
    ("files = 10", "files = 10\narrives = 7", "arrives", "there is no turn 7, only 1 to 6"),
    ("files = 10", "files = 21", "files", "21 files are more than the 20 members"),
    ('formation = "ranked"', 'formation = "rankt"', "formation", "did you mean ranked?"),
    ("at = [60, 10]", "at = [600, 10]", "at", "beyond the field of 200 x 100 GSU"),
    ("at = [60, 10]", "at = [60, 0]", "at", "archers reaches from"),
    ("at = [60, 10]", 'at = [60, "x"]', "at", 'at: expected a point [east, north] in GSU, got "x"'),
    ("at = [60, 10]", "at = [60, 10]\nhihgt = 2", "hihgt", "did you mean height?"),
    ("at = [60, 10]", 'at = [60, 10]\nstates = ["prnoe"]', "states", "did you mean prone?"),
    ("at = [60, 10]", "at = [60, 10]\nmorale = 9", "morale", "from -7 to 7, got 9"),
    ("at = [60, 10]", 'at = [60, 10]\nmovement = "15X"', "movement", "there are G on the ground"),
    ("at = [60, 10]", "at = [60, 10]\narcs = [180, 90, 90]", "arcs", "= 360, not 450"),
    ("at = [60, 10]", "at = [60, 10]\ninitiative = 3", "initiative", "a list of tables"),
    (
        "at = [60, 10]",
        'at = [60, 10]\ninitiative = [{ when = { within = 9 }, do = "chrage" }]',
        "initiative",
        "did you mean charge?",
    ),
    (
        "at = [60, 10]",
        'at = [60, 10]\ninitiative = [{ when = { wihin = 9 }, do = "charge" }]',
        "initiative",
        "unknown key wihin; did you mean within?",
    ),
    (
        "at = [60, 10]",
        'at = [60, 10]\ninitiative = [{ when = { taking_cover = true }, do = "charge" }]',
        "initiative",
        "when needs a condition on an enemy",
    ),
    ("at = [60, 10]", "", 'name = "archers"', "at is missing"),
    ('side = "Bob"', 'side = "Bop"', "side", 'unknown side "Bop"; did you mean Bob?'),
    ('side = "Bob"', "", 'name = "bandits"', "side is missing: expected the name of a side"),
    ("size = 1", "", 'name = "bandits"', "size is missing: expected a size"),
    ("size = 1\n", "size = 0.3\n", "size = 0.3", "size: expected 1, 2, 3, ... or 0.5"),
    ("facing = 180", 'group = "bandits"', "group", "bandits cannot be a member of itself"),
    ("facing = 180", 'group = "archer"', "group", "did you mean archers?"),
    ("facing = 180", 'group = "archers"', "group", "bandits and archers are of different sides"),
    ("facing = 180", f"facing = {'9' * 5000}", "999", "a number has too many digits"),
    ("facing = 180", "facing = 1e308", "facing", "clockwise from north, from -360 to 360"),
    ("facing = 180", "on_height = 1e308", "on_height", "above the ground, up to 10000, got 1e+308"),
    ("facing = 180", "on_height = -1", "on_height", "on_height: expected a number of height units"),
    ("members = 20", "members = 100001", "members", "members from 1 to 100000, got 100001"),
    ('name = "bandits"', r'name = "b\u0000"', "name", "characters that can be printed"),
    (
        'title = "A sound',
        r'title = "\u001b[31mA sound',
        "title",
        "title: expected a title in quotation",
    ),
    ("facing = 180", 'facing = "south"', "facing", "a number of degrees clockwise from north"),
    ('name = "bandits"', 'name = "archers"', "name", 'another unit is already called "archers"'),
    ("at = [60, 80]", "outline = [[1, 1], [5, 5], [1, 5], [7, 1]]", "outline", "crosses"),
    ("at = [60, 80]", "outline = []", "outline", "points are pairs of numbers"),
    ("at = [60, 80]", "outline = [[1, 1], [3, 3], [3, 1], [1, 3]]", "outline", "crosses"),
    ("facing = 180", "outline = [[1, 1], [5, 1], [5, 5]]", "at", "an outline replaces"),
    # victory
    ('side = "Alice"\nlevel', 'side = "Alise"\nlevel', "side", "did you mean Alice?"),
    ('level = "victory"', 'level = "triumph"', "level", 'or minor victory, got "triumph"'),
    ('side = "Bob"', 'side = "Bo\u202e\u009b2J"', "side", r'unknown side "Bo\u202e\u009b2J"'),
    ('controls = "hill"', 'controls = "hell"', "controls", "did you mean hill?"),
    ('controls = "hill"', 'gone = "bandit"', "gone", "did you mean bandits?"),
    ('controls = "hill"', "", "[[victory]]", "a victory needs a condition: controls, denied"),
    ('controls = "hill"', 'controls = "hill"\nturns = 7', "turns", "expected at most 6"),
]


@pytest.mark.parametrize(("old", "new", "where", "told"), CASES)
def test_a_mistake_is_told_with_its_line(
    write: Write, systems: Systems, old: str, new: str, where: str | None, told: str
) -> None:
    path = write((old, new))

    (diagnostic,) = check(path, systems)

    assert told in diagnostic.message
    assert "\n" not in str(diagnostic)
    if where is None:
        assert diagnostic.line is None
    else:
        assert diagnostic.line is not None
        row = path.read_text(encoding="utf-8").split("\n")[diagnostic.line - 1]
        assert where in row or (row == "[[unit]]" and where.startswith("name"))


def test_a_wrong_name_is_told_in_other_mistakes_without_its_control_characters(
    write: Write, systems: Systems
) -> None:
    path = write(
        ('name = "bandits"', 'name = "\\u001b[2J"'), ('controls = "hill"', 'gone = "bandits"')
    )

    diagnostics = check(path, systems)

    assert any(r"\u001b[2J" in str(diagnostic) for diagnostic in diagnostics[1:])
    assert all(str(diagnostic).isprintable() for diagnostic in diagnostics)


def test_ten_mistakes_are_told_at_once_in_the_order_of_their_lines(
    write: Write, systems: Systems
) -> None:
    path = write(
        ("turns = 6", "turns = 0"),
        ("size = [200, 100]", 'size = [200, 100]\nrelief = "hilly"'),
        ('kind = "rock"', 'kind = "rok"'),
        ('name = "Bob"', 'name = "Bob"\nlines = "nort"'),
        ("circle = [100, 50, 20]", "circle = [100, 50]"),
        ('type = "emlia/longbowmen"', 'type = "emlia/longbow"'),
        ('formation = "ranked"', 'formation = "rankt"'),
        ("facing = 180", 'facing = "south"'),
        ("height = 1", 'height = "tall"'),
        ('controls = "hill"', 'controls = "hell"'),
    )
    faults = ["turns = 0", "relief", "rok", "nort", "circle", "longbow", "rankt", "south", "tall"]

    with pytest.raises(ScenarioError) as caught:
        load(path, systems)

    lines = [diagnostic.line for diagnostic in caught.value.diagnostics]
    assert lines == [line_of(path, fault) for fault in [*faults, "hell"]]
    assert all(diagnostic.file == str(path) for diagnostic in caught.value.diagnostics)


def test_a_height_in_words_is_told_in_plain_words(write: Write, systems: Systems) -> None:
    path = write(("height = 1", 'height = "tall"'))

    (diagnostic,) = check(path, systems)

    wanted = (
        "unknown height tall; there are human adult, human child, average tree, large tree, "
        "wolf, coyote, fox, ogre, mountain"
    )
    assert str(diagnostic) == f"{path}:{line_of(path, 'tall')}: {wanted}"


def test_ranked_units_may_touch_but_not_overlap(write: Write, systems: Systems) -> None:
    twin = '[[unit]]\nname = "twin"\nside = "Bob"\ntype = "emlia/longbowmen"\nat = {}\n[[victory]]'
    beside = write(("[[victory]]", twin.format("[70, 10]")))
    upon = write(("[[victory]]", twin.format("[69, 10]")), name="upon.toml")

    assert check(beside, systems) == ()
    (diagnostic,) = check(upon, systems)
    assert "twin stands on archers; move one of them" in diagnostic.message
    assert diagnostic.line == line_of(upon, "at = [69, 10]")


def test_open_units_may_overlap(write: Write, systems: Systems) -> None:
    swarm = (
        '[[unit]]\nname = "mob"\nside = "Bob"\ntype = "emlia/cavemen"\nat = [60, 10]\n[[victory]]'
    )

    assert check(write(("[[victory]]", swarm)), systems) == ()


def test_a_name_that_nothing_has_is_answered_with_the_nearest_that_ships(systems: Systems) -> None:
    (diagnostic,) = check("rigde", systems)

    assert diagnostic.file == "rigde"
    assert "did you mean ridge?" in diagnostic.message


def test_a_file_without_entries_is_told_to_be_no_unit_set(write: Write, systems: Systems) -> None:
    path = write(('type = "emlia/longbowmen"', 'type = "battle/longbowmen"'))

    (diagnostic,) = check(path, systems)

    assert diagnostic.line == line_of(path, "battle/longbowmen")
    assert "battle.toml is not a unit set: it has no [entry.name]" in diagnostic.message
