"""`emlia3d battle --times`: the same battle with seed after seed, counted."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

SHORT = ["battle", "duel", "--turns", "1", "--processes", "1"]


def test_the_document_has_every_battle_and_what_they_came_to(run) -> None:
    document = json.loads(run([*SHORT, "--times", "2", "--seed", "5", "--json"]).out)
    alone = json.loads(
        run(["battle", "duel", "--turns", "1", "--headless", "--seed", "6", "--json"]).out
    )

    assert document["battles"] == 2
    assert [each["seed"] for each in document["each"]] == [5, 6]
    assert document["each"][1]["digest"] == alone["digest"]
    assert document["each"][1]["turns"] == alone["turns"] == 1
    for name, side in alone["sides"].items():
        assert document["each"][1]["lost"][name] == side["figures"] - side["figures_left"]
    counts = [share["count"] for share in (*document["won"].values(), document["undecided"])]
    assert sum(counts) == 2
    assert document["turns"]["most"] == 1


def test_the_table_says_who_won_how_often_and_what_it_cost(run) -> None:
    told = run([*SHORT, "--times", "2"])

    assert told.status == 0
    assert "2 battles, seeds 0 to 1" in told.out
    assert re.search(r"^draw +\d+ +[\d.]+%  +[\d.]+% to +[\d.]+%", told.out, re.MULTILINE)
    assert re.search(r"^Warriors .* figures lost of 4$", told.out, re.MULTILINE)
    assert re.search(r"digest [0-9a-f]{16}$", told.out.rstrip())


def test_the_battles_are_led_by_whom_one_names(run) -> None:
    def played(*words: str) -> dict[str, Any]:
        return json.loads(run([*words, "--seed", "3", "--json"]).out)

    led = ["--commander", "Warriors=random"]
    alone = played("battle", "duel", "--turns", "1", "--headless", *led)
    many = played(*SHORT, "--times", "1", *led)
    swapped = played(*SHORT, "--times", "1", "--swap-sides", *led)

    digests = [many["each"][0]["digest"], swapped["each"][0]["digest"]]
    assert digests[0] == alone["digest"]
    assert digests[1] != digests[0]


@pytest.mark.slow
def test_any_number_of_processes_counts_the_same(run) -> None:
    one, three = (
        run(["battle", "duel", "--turns", "1", "--times", "5", "--processes", n, "--json"]).out
        for n in ("1", "3")
    )

    assert json.loads(one) == json.loads(three)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--times", "0"], "--times"),
        (["--times", "2", "--save", "a.battle.jsonl"], "cannot be combined with --save"),
        (["--times", "2", "--picture", "a.png"], "cannot be combined with --save"),
        (["--times", "2", "--seed", str(2**63 - 1)], "begin with a smaller --seed"),
        (["--times", "2", "--commander", "Nobody=random"], "Nobody"),
        (["--processes", "2"], "--processes needs --times"),
    ],
)
def test_a_mistake_is_one_line(run, words: list[str], told: str) -> None:
    ran = run(["battle", "duel", *words])

    assert ran.status == 2
    assert len(ran.complaints) == 1
    assert told in ran.complaints[0]
