"""Selection of the pace by a key."""

from __future__ import annotations

from emlia3d.view.pace import PACE_WORDS
from emlia3d.view.window.viewer import Viewer


def next_pace(viewer: Viewer) -> None:
    """Select the next pace, and show a message."""
    liked = viewer.liking.settings.next_pace()
    viewer.like(liked)
    viewer.say(f"pace: {PACE_WORDS[liked.pace]}")
