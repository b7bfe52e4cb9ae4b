"""docs/tolerances.md gives the numbers that the rulebook leaves open, as the rules use them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from emlia3d.rules.emlia.basics import thresholds
from emlia3d.rules.emlia.play.acting import declaring
from emlia3d.rules.emlia.play.charges import preparing, running_in, shelter
from emlia3d.rules.emlia.play.combat import scheduled_events, volley
from emlia3d.rules.emlia.play.engagement import enveloping, follow_up, ranks, shoves
from emlia3d.rules.emlia.play.free_actions import dividing, joining
from emlia3d.rules.emlia.play.movement import (
    driving,
    manoeuvre,
    reachable_area,
    reasons,
    shortest_paths,
    sidesteps,
)
from emlia3d.rules.emlia.play.questions import pointing, what_if
from emlia3d.rules.emlia.play.retreat import (
    compulsion,
    fallback_goals,
    forced,
    leave_skirmish,
    retreat_path,
)
from emlia3d.rules.emlia.play.sight import area, explaining, passing_by
from emlia3d.rules.emlia.play.situation import (
    allowance,
    footing,
    free_places,
    free_space,
    going,
    march,
    pose,
)
from emlia3d.rules.emlia.play.turn import condition_orders

PAGE = (Path(__file__).parents[3] / "docs" / "tolerances.md").read_text("utf-8")
ROWS = re.findall(r"^\| .+ \| (-?\d[\d, /-]*)(?: GSU| degrees)? \| `(\S+)` \|$", PAGE, re.MULTILINE)
MODULES = {
    module.__name__.removeprefix("emlia3d.rules.emlia."): module
    for module in (
        allowance, area, compulsion, declaring, dividing, driving, enveloping, explaining,
        reachable_area,
        follow_up, footing, forced, free_places, free_space, going, fallback_goals, joining,
        leave_skirmish, manoeuvre, march, passing_by, pointing, pose, preparing, ranks, reasons,
        retreat_path, running_in, scheduled_events, shelter, shortest_paths, shoves, sidesteps,
        thresholds, volley, what_if, condition_orders,
    )
}  # fmt: skip


@pytest.mark.parametrize(("value", "constant"), ROWS, ids=[name for _, name in ROWS])
def test_the_page_gives_the_number_that_the_rules_use(value: str, constant: str) -> None:
    module, _, name = constant.rpartition(".")
    printed = tuple(float(Fraction(part)) for part in value.split(", "))

    used = getattr(MODULES[module], name)

    assert (tuple(used) if len(printed) > 1 else (used,)) == printed


def test_every_row_of_the_page_is_read() -> None:
    rows = [line for line in PAGE.splitlines() if line.endswith("` |")]

    assert len(ROWS) == len(rows)
    assert {name.rpartition(".")[0] for _, name in ROWS} == MODULES.keys()
