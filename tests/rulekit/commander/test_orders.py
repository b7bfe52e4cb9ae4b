"""Missions that a player gives in words: what is understood, and what is refused."""

from __future__ import annotations

import pytest

from emlia3d.errors import Error
from emlia3d.rulekit.commander.mission_orders import BrigadeOrder, order_from_words, to_words

BRIGADES = ("1st Brigade", "1st Brigade of Horse", "Reserve")
PLACES = ("farm", "Old Hill", "the crossing")
ENEMIES = {"Holm Fusiliers": 2, "hill guard": 3}
NAMES = ("A", "B", "Holm Fusiliers", "hill guard")


def read(words: str) -> BrigadeOrder:
    return order_from_words(words, BRIGADES, PLACES, ENEMIES)


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("1st Brigade: hold", BrigadeOrder(brigade="1st Brigade", kind="hold")),
        ("1st brigade hold", BrigadeOrder(brigade="1st Brigade", kind="hold")),
        (
            "1ST BRIGADE OF HORSE:  FLANK  holm fusiliers",
            BrigadeOrder(brigade="1st Brigade of Horse", kind="flank", target=2),
        ),
        (
            "1st Brigade attack the Farm",
            BrigadeOrder(brigade="1st Brigade", kind="attack", area="farm"),
        ),
        (
            "1st Brigade: hold old hill",
            BrigadeOrder(brigade="1st Brigade", kind="hold", area="Old Hill"),
        ),
        (
            "Reserve: hold crossing",
            BrigadeOrder(brigade="Reserve", kind="hold", area="the crossing"),
        ),
        ("Reserve: pursue Holm", BrigadeOrder(brigade="Reserve", kind="pursue", target=2)),
        ("res hold farm", BrigadeOrder(brigade="Reserve", kind="hold", area="farm")),
        ("res: hold", BrigadeOrder(brigade="Reserve", kind="hold")),
        ("Reserve reserve", BrigadeOrder(brigade="Reserve", kind="reserve")),
        ("Reserve: free", BrigadeOrder(brigade="Reserve", kind=None)),
    ],
)
def test_words_give_a_mission(words: str, order: BrigadeOrder) -> None:
    assert read(words) == order
    assert read(to_words(order, NAMES)) == order


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("", "there is no brigade ''; there are '1st Brigade', '1st Brigade of Horse' and"),
        ("1st Brigad hold", "there is no brigade '1st Brigad'; did you mean '1st Brigade'?"),
        ("Zuaves: attack farm", "there is no brigade 'Zuaves'; there are"),
        ("Reserve", "there is no mission ''; missions are hold, attack, support, pin, flank,"),
        ("Reserve: atack farm", "there is no mission 'atack'; did you mean 'attack'?"),
        ("Reserve: attack frm", "there is no place or known enemy 'frm'; did you mean 'farm'?"),
        ("Reserve: flank", "flank needs an enemy: Reserve: flank ENEMY"),
        ("Reserve: flank farm", "there is no known enemy 'farm'"),
        ("Reserve: pursue Fusiliers", "there is no known enemy 'Fusiliers'; did you mean 'Holm"),
        ("Reserve: withdraw farm", "withdraw takes no goal, not 'farm'"),
        ("Reserve: free farm", "free takes no goal, not 'farm'"),
    ],
)
def test_words_that_give_no_mission_are_refused_with_the_nearest(words: str, reason: str) -> None:
    with pytest.raises(Error) as refused:
        read(words)

    assert str(refused.value).startswith(reason)
    assert "\n" not in str(refused.value)
