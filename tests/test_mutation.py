"""The mutation run names each mutant once, changes loaded code, and follows lines that move."""

from __future__ import annotations

import ast
from dataclasses import replace

from emlia3d.rules.emlia.unit_sets import unit_set
from tests import mutation
from tests.executed_lines import Executed, added, matched_lines
from tests.mutants import RULES, idle_nodes, mutants_of
from tests.patching import function_path, patch

SIZES = RULES / "unit_sets" / "unit_set.py"


def test_a_key_names_one_mutant() -> None:
    keys = [mutant.key for mutant in mutants_of(SIZES)]

    assert len(set(keys)) == len(keys)
    assert any(key.endswith(" #2") for key in keys)


def test_a_mutant_changes_the_loaded_function() -> None:
    function = unit_set.is_printable_size
    code = function.__code__
    mutant = next(
        mutant
        for mutant in mutants_of(SIZES)
        if mutant.where == "is_printable_size" and mutant.after == "size < 1"
    )

    try:
        is_patched = patch(mutant)
        answers = [unit_set.is_printable_size(size) for size in (1, 3, 0.25)]
    finally:
        function.__code__ = code

    assert is_patched
    assert answers == [True, False, False]
    assert unit_set.is_printable_size(3)


def test_a_default_argument_cannot_be_changed_in_a_loaded_function() -> None:
    mutant = next(mutant for mutant in mutants_of(SIZES) if mutant.where == "is_printable_size")

    assert function_path(mutant) == ("is_printable_size",)
    assert function_path(replace(mutant, line=mutant.line - 2)) == ()
    assert function_path(replace(mutant, where="")) == ()


def test_what_runs_on_import_is_tried_by_the_tests_of_all_that_use_the_module() -> None:
    table, user = "emlia3d/rules/emlia/unit_sets/army.py", "emlia3d/rules/emlia/questions.py"
    of_table, of_user = (
        "tests/rules/emlia/test_army.py",
        "tests/rules/emlia/questions/test_answer.py",
    )
    elsewhere = "tests/battle/test_log.py::test_three"
    seconds = {f"{of_user}::test_one": 0.1, f"{of_table}::test_two": 9.0, elsewhere: 0.1}
    known = Executed(
        {user: {1: [f"{of_user}::test_one"]}}, {}, seconds, dict.fromkeys((table, user), ""), ""
    )
    mutant = replace(next(mutants_of(RULES / "unit_sets" / "army.py")), line=1, end=1)

    assert known.tests_of(mutant, 90) == [f"{of_table}::test_two", f"{of_user}::test_one"]


def test_lines_are_found_where_they_were() -> None:
    assert matched_lines("a\nb\nc\nd", "new\na\nB\nd") == {2: 1, 3: 2, 4: 4}


def test_tests_that_are_learnt_later_are_added_to_moved_lines() -> None:
    old = Executed(
        {"f": {1: ["one"], 2: ["two"]}}, {"f": {2}}, {"one": 1, "two": 2}, {"f": "a\nb"}, ""
    )
    new = Executed({"f": {3: ["three"]}}, {"f": {1}}, {"three": 3}, {"f": "new\na\nb"}, "")

    found = added(old, new)

    assert found.lines == {"f": {2: ["one"], 3: ["two", "three"]}}
    assert found.on_import == {"f": {1, 3}}
    assert [*found.seconds] == ["one", "two", "three"]


def test_a_mutant_none_of_whose_tests_exist_any_more_survives() -> None:
    trial = mutation.Trial(mutant=None, tests=("tests/gone.py::test_gone",), most_seconds=0.0)

    status, failed = mutation._on_loaded([], trial)

    assert (status, list(failed)) == (0, [])


def test_a_listed_change_is_looked_for_where_its_function_was_renamed_or_moved() -> None:
    gone = "rules/paths.py follow: left <= 0 -> left < 0"
    renamed, elsewhere = (
        "rules/paths.py Path.go: left <= 0 -> left < 0",
        "rules/ways.py follow: left <= 0 -> left < 0",
    )
    others = [
        "rules/paths.py follow: left <= 0 -> left <= 1",
        "rules/paths.py follow: left <= 0 -> left < 0 #2",
        "rules/ways.py go: left <= 0 -> left < 0",
    ]

    assert mutation.moved(gone, [*others, renamed, elsewhere]) == [renamed, elsewhere]


def test_preparing_a_shape_and_how_negative_an_open_length_is_alter_nothing() -> None:
    tree = ast.parse("shapely.prepare(areas[0])\nspots.reshape(-1, 2)\nother.shift(-1)")

    idle = {ast.unparse(node) for node in idle_nodes(tree) if hasattr(node, "lineno")}

    assert idle == {
        "shapely.prepare(areas[0])", "shapely.prepare", "shapely", "areas[0]", "areas", "0", "1",
    }  # fmt: skip
    assert {node.lineno for node in idle_nodes(tree) if ast.unparse(node) == "1"} == {2}


def test_a_fork_may_always_compute_its_derived_data_again() -> None:
    tree = ast.parse("Rows(make, forks=True)\nEach(forks=False)\nmarch(forced=True)")

    assert [(ast.unparse(node), node.lineno) for node in idle_nodes(tree)] == [("True", 1)]
