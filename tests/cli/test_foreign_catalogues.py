"""``emlia3d rules`` counts the catalogue of a rule system of another package."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from emlia3d.errors import RuleSystemError
from emlia3d.rules import rulebook
from emlia3d.rules.catalogue import catalogue, coverage, import_rule_modules, untested

MODULE = """
from emlia3d.rules.emlia.system import Emlia
from emlia3d.rules.rulebook import rule

@rule("cards.draw", "cards.deal")
def draw(): pass

class Cards(Emlia):
    name = "cards"

SYSTEM = Cards()
"""

SLUGS = "cards.deal\ncards.draw\ncards.end\ncards.shuffle\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed package with a rule system."""
    package = tmp_path / "card_rules"
    for folder in ("slugs", "untested", "chapters"):
        (package / folder).mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "play.py").write_text(MODULE, "utf-8")
    (package / "slugs" / "cards.txt").write_text(SLUGS, "utf-8")
    write_points(tmp_path, "cards = card_rules.play:SYSTEM")
    monkeypatch.syspath_prepend(str(tmp_path))
    import_rule_modules()
    monkeypatch.setattr(rulebook, "RULES", rules := dict(rulebook.RULES))
    monkeypatch.setattr("emlia3d.rules.catalogue.RULES", rules)
    for name in [name for name in sys.modules if name.split(".")[0] == "card_rules"]:
        monkeypatch.delitem(sys.modules, name)
    return package


def write_points(folder: Path, lines: str) -> None:
    """Name rule systems in the entry points of the package."""
    info = folder / "card_rules-2.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: card_rules\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text(f"[emlia3d.rules]\n{lines}\n")
    importlib.invalidate_caches()


def test_the_rules_of_a_package_are_counted_with_all_others(home: Path, run) -> None:
    (home / "untested" / "cards.txt").write_text("cards.end\n", "utf-8")

    listed = run(["rules"])
    counts = json.loads(run(["rules", "--json"]).out)

    assert (listed.status, listed.err) == (0, "")
    assert listed.out.splitlines()[-1].split() == ["cards", "4", "2", "3"]
    assert list(counts)[-1] == "cards"
    assert counts["cards"] == {"catalogue": 4, "implemented": 2, "tested": 3}
    assert run(["rules", "cards", "--untested"]).out == "cards.end\n"


def test_a_rule_is_explained_by_the_title_and_summary_that_its_package_lists(home, run) -> None:
    lines = "cards.deal\n\ncards.draw: Draw a card\n  Take the upper\n  card.\n\n  Once a turn.\n"
    (home / "slugs" / "cards.txt").write_text(lines, "utf-8")

    entry = json.loads(run(["rules", "cards.draw", "--json"]).out)
    told = run(["rules", "cards.draw"]).out.splitlines()

    assert catalogue("cards") == ("cards.deal", "cards.draw")
    assert entry["title"] == "Draw a card"
    assert entry["summary"] == "Take the upper card.\n\nOnce a turn."
    assert told[0] == "cards.draw: Draw a card"
    assert run(["rules", "cards", "--search", "upper"]).out == "cards.draw  Draw a card\n"
    assert json.loads(run(["rules", "cards.deal", "--json"]).out)["title"] == "Deal"


def test_a_list_of_rules_that_begins_with_a_summary_is_refused_with_its_line(home, run) -> None:
    (home / "slugs" / "cards.txt").write_text("\n  Take the upper card.\n", "utf-8")

    asked = run(["rules", "cards"])

    assert asked.status == 2
    assert asked.err.endswith("cards.txt:2: expected a slug before its summary\n")


def test_without_a_list_of_untested_rules_none_counts_as_tested(home: Path) -> None:
    assert untested("cards") == catalogue("cards") == tuple(SLUGS.split())
    assert coverage("cards").tested == 0


def test_modules_below_a_package_enter_their_rules(home: Path) -> None:
    (home / "__init__.py").write_text("from card_rules.play import SYSTEM\n", "utf-8")
    (home / "more.py").write_text(
        "from emlia3d.rules.rulebook import rule\nrule('cards.end')(print)\n", "utf-8"
    )
    (home / "__main__.py").write_text("raise SystemExit('this is run as a program')\n", "utf-8")
    write_points(home.parent, "cards = card_rules:SYSTEM")

    assert coverage("cards").implemented == 3


def test_a_broken_package_is_a_line_in_the_list_of_all(home: Path, run) -> None:
    (home / "play.py").write_text("raise ValueError('no cards')\n", "utf-8")
    fault = "the rule system cards (package card_rules 2.0) cannot be loaded: ValueError: no cards"

    listed, asked = run(["rules"]), run(["rules", "cards"])

    assert (listed.status, listed.err) == (0, f"{fault}\n")
    assert listed.out.splitlines()[-1].split()[0] == "runolfsson"
    assert (asked.status, asked.err) == (2, f"{fault}\n")


def test_a_package_whose_init_fails_is_named_when_it_is_asked_about(home: Path, run) -> None:
    (home / "__init__.py").write_text("raise SystemExit(3)\n", "utf-8")

    listed, asked = run(["rules"]), run(["rules", "cards"])

    assert (listed.status, listed.err) == (0, "")
    assert asked.status == 2
    assert "(package card_rules 2.0) cannot be loaded: SystemExit: 3" in asked.err


def test_a_system_without_a_catalogue_is_told_in_a_line(home: Path, run) -> None:
    (home / "slugs" / "cards.txt").unlink()

    told = run(["rules", "cards"])

    assert told.status == 2
    assert told.err == (
        "the rule system cards (package card_rules 2.0) has no catalogue: "
        "expected slugs/cards.txt\n"
    )


def test_a_module_in_no_package_has_no_catalogue(home: Path, run) -> None:
    (home / "play.py").rename(home.parent / "card_play.py")
    (home / "slugs").rename(home.parent / "slugs")
    write_points(home.parent, "cards = card_play:SYSTEM")

    assert "has no catalogue" in run(["rules", "cards"]).err


@pytest.mark.parametrize(
    ("table", "row", "expected"),
    [
        ("chapters", "one | Cards | draw", "NUMBER | TITLE | FAMILIES"),
        ("chapters", "1 | Cards", "NUMBER | TITLE | FAMILIES"),
        ("untested", "\udcff", "cannot be read"),
        ("chapters", "1 | Cards | draw deal end", "cards.shuffle: expected a chapter"),
    ],
)
def test_a_faulty_table_is_told_in_a_line(
    home: Path, run, table: str, row: str, expected: str
) -> None:
    file = home / table / "cards.txt"
    file.write_bytes(row.encode("utf-8", "surrogateescape"))

    told = run(["rules", "cards", "--status" if table == "chapters" else "--untested"])

    assert told.status == 2
    assert told.err.count("\n") == 1
    assert expected in told.err


def test_the_catalogue_of_a_package_with_a_fault_raises_one_error(home: Path) -> None:
    (home / "slugs" / "cards.txt").write_bytes(b"\xff")

    with pytest.raises(RuleSystemError, match=r"slugs/cards\.txt: cannot be read"):
        coverage("cards")


def test_the_source_of_the_rules_of_a_package_is_credited(home: Path, run) -> None:
    assert run(["rules", "cards"]).out.count("\n") == 2
    (home / "credits").mkdir()
    (home / "credits" / "cards.txt").write_text("After a game of cards.\n", "utf-8")

    assert run(["rules", "cards"]).out.endswith("\n\nAfter a game of cards.\n")
