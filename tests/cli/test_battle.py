"""``battle``: played to its end, told in words or as one document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image


def test_the_document_has_what_is_promised(run, bandits: Path) -> None:
    told = run(["battle", bandits, "--headless", "--json", "--seed", "7"])

    document = json.loads(told.out)
    assert (told.status, told.err) == (0, "")
    assert set(document) == {
        "title", "rules", "seed", "turns", "result", "sides", "events", "digest", "seconds",
    }  # fmt: skip
    assert (document["rules"], document["seed"]) == ("emlia", 7)
    assert set(document["result"]) == {"winner", "level", "reason"}
    assert len(document["digest"]) == 64
    for side in document["sides"].values():
        assert set(side) == {"units", "units_left", "figures", "figures_left"}
        assert 0 <= side["units_left"] <= side["units"]
        assert 0 <= side["figures_left"] <= side["figures"]


def test_the_same_seed_gives_the_same_digest_and_another_does_not(run, bandits: Path) -> None:
    first, again, other = (
        json.loads(run(["battle", bandits, "--headless", "--json", "--seed", seed]).out)
        for seed in ("7", "7", "8")
    )

    assert first["digest"] == again["digest"]
    assert first["digest"] != other["digest"]


def test_fewer_turns_end_a_battle_sooner(run, bandits: Path) -> None:
    document = json.loads(run(["battle", bandits, "--headless", "--json", "--turns", "1"]).out)

    assert document["turns"] == 1
    assert document["result"] is not None


def test_words_tell_who_won_and_what_is_left(run, bandits: Path) -> None:
    told = run(["battle", bandits, "--headless", "--seed", "7"])

    document = json.loads(run(["battle", bandits, "--headless", "--json", "--seed", "7"]).out)
    assert told.status == 0
    assert document["title"] in told.out
    assert document["result"]["reason"] in told.out
    assert document["digest"][:16] in told.out
    for name in document["sides"]:
        assert f"  {name}" in told.out


def test_headless_draws_nothing_unasked(run, bandits: Path, tmp_path: Path) -> None:
    run(["battle", bandits, "--headless"])

    assert list(tmp_path.iterdir()) == []


def test_without_a_display_the_closing_moments_are_drawn(
    run, bandits: Path, tmp_path: Path
) -> None:
    told = run(["battle", bandits, "--turns", "1"])

    assert told.status == 0
    assert "battle.png" in told.out
    with Image.open(tmp_path / "battle.png") as picture:
        assert picture.size == (1280, 720)


def test_a_picture_that_is_asked_for_is_drawn(run, bandits: Path, tmp_path: Path) -> None:
    told = run(["battle", bandits, "--turns", "1", "--headless", "--json", "--picture", "end.png"])

    assert told.status == 0
    assert json.loads(told.out)["turns"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["end.png"]


def test_a_battle_file_is_never_written_over(run, bandits: Path, tmp_path: Path) -> None:
    (tmp_path / "old.battle.jsonl").write_text("precious")

    told = run(["battle", bandits, "--headless", "--save", "old.battle.jsonl"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert (tmp_path / "old.battle.jsonl").read_text() == "precious"


def test_a_battle_with_sides_swapped_is_taken_up_with_sides_swapped(
    run, tmp_path: Path, bandits: Path
) -> None:
    militia = 'commander = "doctrine"'
    text = bandits.read_text(encoding="utf-8")
    (tmp_path / "uneven.toml").write_text(text.replace(militia, 'commander = "random"', 1))
    words = ["battle", "uneven.toml", "--headless", "--json", "--seed", "7"]

    plain = json.loads(run(words).out)
    swapped = json.loads(run([*words, "--swap-sides", "--save", "one.battle.jsonl"]).out)
    lines = (tmp_path / "one.battle.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "one.battle.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    resumed = json.loads(
        run(["battle", "--resume", "one.battle.jsonl", "--headless", "--json"]).out
    )

    assert plain["digest"] != swapped["digest"]
    assert resumed["digest"] == swapped["digest"]


def test_sides_that_are_led_alike_are_not_swapped(run, bandits: Path) -> None:
    told = run(["battle", bandits, "--headless", "--swap-sides"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert "are led by doctrine" in told.err


def test_a_battle_is_led_by_whom_the_options_name_and_is_taken_up_so(
    run, tmp_path: Path, bandits: Path
) -> None:
    words = ["battle", bandits, "--headless", "--json", "--seed", "7"]
    bold = ["--commander", "Bandits=doctrine:bold", "--commander", "Militia=random"]

    plain = json.loads(run(words).out)
    led = json.loads(run([*words, *bold, "--save", "one.battle.jsonl"]).out)
    lines = (tmp_path / "one.battle.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "one.battle.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    resumed = json.loads(
        run(["battle", "--resume", "one.battle.jsonl", "--headless", "--json"]).out
    )

    assert plain["digest"] != led["digest"]
    assert resumed["digest"] == led["digest"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("Bandits", "--commander: expected SIDE=NAME"),
        ("Bandit=random", "did you mean Bandits?"),
        ("Bandits=doctrine:rash", "unknown commander"),
        ("Bandits=doctrine:aggression=2", "unknown commander"),
    ],
)
def test_a_commander_whom_there_is_not_is_one_mistake(
    given: str, told: str, run, bandits: Path
) -> None:
    answer = run(["battle", bandits, "--headless", "--commander", given])

    assert answer.status == 2
    assert len(answer.complaints) == 1
    assert told in answer.err
