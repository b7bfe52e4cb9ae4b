"""All that the panels of a battle may show, and letters of a known width."""

from __future__ import annotations

from emlia3d.view.layout.panel import Layout, UnitCard
from emlia3d.view.sight.sightcard import SightCard
from emlia3d.view.window.status import HudState, LogLine, SideSummary

STATUS = HudState(
    title="A quarrel",
    turn="Turn 2 of 3",
    sides=(
        SideSummary(name="Alice", colour="#2a5caa", left="20 of 20"),
        SideSummary(name="Bob", colour="#b03030", left="5 of 7"),
    ),
    step=4,
    steps=7,
    turn_starts=(2, 5),
    playing=False,
    speed=1.0,
    news=(
        LogLine(text="Turn 1 begins"),
        LogLine(
            text="archers shoot at bandits: 2 hits", because=("nobody.fire", "nobody.fire.short")
        ),
    ),
    card=UnitCard(name="archers", colour="#2a5caa", rows=(("members", "20 of 20"),) * 12),
)
ASKED = SightCard(
    observer=("archers", "#2a5caa"),
    target=("bandits", "#b03030"),
    picks="target",
    verdict="not seen",
    degree="total",
    rows=(("concealment", "total"), ("distance", "35 GSU")),
    text="Because the rock is in the way.",
    because=("nobody.sight",),
)
SIZES = [(640, 360), (1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]


def measure(text: str, size: int, bold: bool) -> float:
    """How wide a text of letters of so many pixels would be drawn, in pixels."""
    return len(text) * size * (0.62 if bold else 0.56)


def words_of(sheet: Layout) -> list[str]:
    """All that is written."""
    return [text.text for text in sheet.texts]
