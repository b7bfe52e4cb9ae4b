"""A package whose rule system does not work is named in one line; the others go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.errors import RuleSystemError
from emlia3d.scenario import load
from emlia3d.scenario.systems import InstalledSystems

FAULTS = {
    "raises": ("raise ValueError('boom\\nboom')", "cannot be loaded: ValueError: boom boom"),
    "fails": ("raise RuntimeError", "cannot be loaded: RuntimeError"),
    "exits": ("raise SystemExit(7)", "cannot be loaded: SystemExit: 7"),
    "asserts": ("assert 1 == 2, 'x' * 999", "cannot be loaded: AssertionError: xxx"),
    "stops": ("raise GeneratorExit", "cannot be loaded: GeneratorExit"),
    "groups": (
        "raise BaseExceptionGroup('both', [KeyError(1), GeneratorExit()])",
        "cannot be loaded: BaseExceptionGroup: both (2 sub-exceptions)",
    ),
    "silent": (
        "class Silent(Exception):\n    def __str__(self): raise RuntimeError\nraise Silent",
        "cannot be loaded: Silent",
    ),
    "broken": ("def (", "cannot be loaded: SyntaxError: invalid syntax"),
    "lacking": ("import no_such_module", "cannot be loaded: ModuleNotFoundError: No module named"),
    "without": ("", "cannot be loaded: AttributeError: "),
    "empty": ("SYSTEM = object()", "is not an emlia3d.battle.system.System"),
    "abstract": (
        "from emlia3d.battle.system import System\n"
        "class Half(System):\n"
        "    def result(self, battle): return None\n"
        "SYSTEM = Half()",
        "cannot be loaded: TypeError: Can't instantiate abstract class Half with abstract methods "
        "next_step, sight",
    ),
    "bare": (
        "from emlia3d.battle.no_rules import NoRules\n"
        "from emlia3d.battle.system import System\n"
        "class Bare(System):\n"
        "    name = 'bare'\n"
        "    next_step, result, sight = NoRules.next_step, NoRules.result, NoRules.sight\n"
        "SYSTEM = Bare()",
        "lacks title, entry_model",
    ),
    "untitled": (
        "from emlia3d.rules.emlia.system import Emlia\n"
        "class Untitled(Emlia):\n"
        "    @property\n"
        "    def title(self): raise ZeroDivisionError('no title')\n"
        "SYSTEM = Untitled()",
        "cannot be loaded: ZeroDivisionError: no title",
    ),
    "odd": (
        "from emlia3d.rules.emlia.system import Emlia\n"
        "class Odd(Emlia):\n"
        "    def sight_of(self, *asked): return 5\n"
        "SYSTEM = Odd()",
        "gives no answer: TypeError: expected SightAnswer, got int",
    ),
    "halts": (
        "from emlia3d.rules.emlia.system import Emlia\n"
        "class Halts(Emlia):\n"
        "    def sight_of(self, *asked): raise SystemExit(3)\n"
        "SYSTEM = Halts()",
        "gives no answer: SystemExit: 3",
    ),
    "mute": (
        "from emlia3d.rules.emlia.system import Emlia\n"
        "class Mute(Emlia):\n"
        "    def sight_of(self, *asked): raise LookupError('no idea')\n"
        "SYSTEM = Mute()",
        "gives no answer: LookupError: no idea",
    ),
}
"""Faulty modules of a package, and the line that reports each."""

WORKS = """
from emlia3d.rules.emlia.system import Emlia
class Other(Emlia):
    name = "works"
SYSTEM = Other()
"""


def install(folder: Path, name: str, module: str) -> None:
    """Install a package with a rule system in a folder that is on the path."""
    (folder / f"package_{name}.py").write_text(module, "utf-8")
    info = folder / f"emlia3d_{name}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: emlia3d-{name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[emlia3d.rules]\n{name} = package_{name}:SYSTEM\n")


def told_of(name: str) -> str:
    return f"the rule system {name} (package emlia3d-{name} 1.2) {FAULTS[name][1]}"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every faulty package, and one that works."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name, (module, _) in FAULTS.items():
        install(folder, name, module)
    install(folder, "works", WORKS)
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    "words",
    [
        ["battle", "duel", "--headless", "--turns", "1"],
        ["scenarios"],
        ["rules"],
        ["check", "a.toml"],
    ],
)
def test_commands_that_do_not_ask_a_faulty_system_do_not_notice_it(
    run, bandits: Path, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "a.toml").write_bytes(bandits.read_bytes())

    told = run(words)

    assert (told.status, told.err) == (0, "")


@pytest.mark.usefixtures("installed")
def test_asked_for_all_rules_those_that_work_answer(run, bandits: Path) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--rules", "all"])

    assert told.status == 0
    assert len(told.complaints) == len(FAULTS)
    for name, line in zip(sorted(FAULTS), told.complaints, strict=True):
        assert line.startswith(told_of(name))
        assert len(line) < 400
    assert told.out.count("archers: ") == 6, "four that ship, one that works, plain geometry"


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_system_that_is_asked_is_one_line(run, bandits: Path, name: str) -> None:
    told = run(["sight", bandits, "archers", "bandits", "--rules", name])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert told.complaints[0].startswith(told_of(name))


@pytest.mark.usefixtures("installed")
def test_a_scenario_and_a_unit_set_of_a_faulty_system_are_told_with_their_line(
    run, bandits: Path, tmp_path: Path
) -> None:
    text = bandits.read_text("utf-8").replace('rules = "emlia"', 'rules = "raises"')
    (tmp_path / "a.toml").write_text(text, "utf-8")
    (tmp_path / "b.toml").write_text(
        'format = 1\nrules = "fails"\ntitle = "x"\n[entry.a]\n', "utf-8"
    )
    (tmp_path / "c.toml").write_bytes(bandits.read_bytes())
    line = text[: text.index("rules =")].count("\n") + 1

    told = run(["check", "a.toml", "b.toml", "c.toml"])

    assert told.status == 2
    assert f"a.toml:{line}: {told_of('raises')}" in told.complaints
    assert f"b.toml:2: {told_of('fails')}" in told.complaints
    assert "c.toml: OK\n" in told.out


@pytest.mark.usefixtures("installed")
def test_the_doctor_names_each_rule_system_and_what_ails_it(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("emlia3d.cli.diagnosis._displays", lambda: iter(()))

    told = run(["doctor"])

    assert told.status == 0
    assert "rules     emlia: Emlia\n" in told.out
    for name in set(FAULTS) - {"mute", "odd", "halts"}:
        assert f"rules     {told_of(name)}" in told.out


@pytest.mark.parametrize("name", ["emlia", "all", "true"])
def test_no_package_can_take_the_place_of_emlia_or_of_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (folder := tmp_path / "site").mkdir()
    install(folder, name, WORKS)
    monkeypatch.syspath_prepend(str(folder))
    systems = InstalledSystems()

    assert [*systems] == ["emlia", "epic", "oathmark", "runolfsson"]
    assert systems["emlia"].title == "Emlia"
    assert type(systems["emlia"]).__module__.startswith("emlia3d.")


@pytest.mark.usefixtures("installed")
def test_a_program_that_asks_for_all_rules_gets_the_first_fault(bandits: Path) -> None:
    with pytest.raises(RuleSystemError, match="package emlia3d-"):
        load(bandits).sight("archers", "bandits", "all")
