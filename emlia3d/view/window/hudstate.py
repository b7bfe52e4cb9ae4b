"""The text over the picture, gathered from the viewer: title, log, cards, lists."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emlia3d.view.layout.panel import UnitCard
from emlia3d.view.window.headings import side_lines, turn_words, unit_card
from emlia3d.view.window.missions import KEY
from emlia3d.view.window.status import HudState

if TYPE_CHECKING:
    from emlia3d.view.window.viewer import Viewer


def hud_state_of(viewer: Viewer) -> HudState:
    """Return the text over the picture for the shown moment."""
    setup, course, state = viewer.setup, viewer.course, viewer.state
    sight, entry = viewer.sight(), viewer.entry
    liked = viewer.liking.settings
    east, north = setup.field.size
    return HudState(
        title=setup.title,
        turn=turn_words(setup, state, live=course.live),
        sides=side_lines(setup, state, course.in_fog_of),
        step=course.step,
        steps=len(viewer.timeline),
        turn_starts=viewer.timeline.turn_starts,
        playing=viewer.playback.playing,
        speed=viewer.playback.speed,
        news=viewer.news.upto(viewer.playback.position.latest),
        card=_unit_card(viewer),
        sight=None if sight is None else sight.card,
        help=viewer.help,
        notice=viewer.notice,
        alarm=viewer.alarm,
        orders=None if entry is None else entry.card(),
        curtain=None if entry is None else entry.curtain,
        chart_key=(*viewer.chart_key, *viewer.tiles.key, *(KEY if viewer.tasks() else ())),
        small_map=east / north if liked.small_map else None,
        text_size=liked.text_size,
        stark=liked.contrast == "high",
        highlights=viewer.marking.highlights.shown,
        bookmarks=viewer.marking.bookmarks.steps(),
        drawer=viewer.lists.card(),
        rule=viewer.lists.lookup.card(),
        prompt=viewer.lists.prompt,
        tool=viewer.tool_in_hand,
        keys=liked.keys,
        menu=viewer.lists.menu.card(liked.keys, viewer.tool_in_hand),
        results=viewer.results.card(),
        context=viewer.pointing.card(),
        scrolled=tuple(viewer.scrolled.items()),
    )


def _unit_card(viewer: Viewer) -> UnitCard | None:
    if viewer.tape.active:
        return viewer.tape.card()
    unit, state = viewer.selected, viewer.state
    if unit is None:
        return None
    eyes = None if viewer.entry is None else viewer.entry.eyes
    card = unit_card(viewer.setup, state, unit, viewer.rules, eyes)
    card = replace(card, deeds=viewer.deeds.rows(unit, viewer.news.words))
    found = viewer.rings.chosen(unit, state)
    if found is None:
        return card
    reach = ", ".join(f"{limit:g}" for limit in found.limits)
    return replace(card, rows=((f"range: {found.what}", f"{reach} GSU"), *card.rows))
