"""The viewer of a battle: playback, selection, help. No window, no rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from emlia3d.battle.game import Told
from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import Error
from emlia3d.view.actions.window_actions import Tool
from emlia3d.view.lookup.rule_lookup import RuleLookup
from emlia3d.view.moment.scale import units_in_sight
from emlia3d.view.moment.scene import Overlay
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.orders.order_entry import OrderEntry
from emlia3d.view.orders.ordersheet import CURTAIN
from emlia3d.view.results.battle_results import BattleResults
from emlia3d.view.rules import Rules
from emlia3d.view.session.session import BattleSession
from emlia3d.view.sight.ranges import RangeRings
from emlia3d.view.sight.sight_overlay import SightOverlay
from emlia3d.view.sight.sighttool import Sight, SightTool
from emlia3d.view.sight.tape import Tape
from emlia3d.view.text_entry.save_as import SaveAs
from emlia3d.view.window.event_log import News
from emlia3d.view.window.field_pointing import FieldPointing
from emlia3d.view.window.hudstate import hud_state_of
from emlia3d.view.window.lists import Lists
from emlia3d.view.window.marking import Marking
from emlia3d.view.window.missions import MissionOverlay
from emlia3d.view.window.opening import Library, Opening, TakeOver
from emlia3d.view.window.settings import Settings, SettingsStore
from emlia3d.view.window.status import HudState
from emlia3d.view.window.tile_grid import TileGrid
from emlia3d.view.window.unit_history import Deeds, Recorded

NOTICE_S = 4.0

SCROLL = "scroll"
"""Prefix of the name of a button that scrolls, before the first row and the panel."""


class Viewer:
    """A viewed battle, recorded or in progress.

    setup, rules : of the battle
    course : the battle as known to the viewer
    playback : the position in the battle; timeline : its events so far
    selected : the selected unit; help : whether the keys are shown
    entry : the order entry; None if no player is asked
    scrolled : the first row shown of each panel that was scrolled
    tool : the sight tool; tape : the measuring tape; rings : ranges of the selected unit
    tiles : the grid of tiles; missions : the missions drawn on the field
    liking : the settings; chart_key : meanings of the ground's colours
    news : the log; marking : key events, bookmarks; opening : other battles; lists : of all these
    deeds : actions of units and their reasons; results : of a battle that is over
    notice : a message; alarm : an error, in one line; "" for none
    """

    def __init__(  # noqa: PLR0913  what a viewer may be given
        self,
        setup: Setup,
        start: State,
        events: Iterable[Told],
        rules: Rules | None = None,
        take_over: TakeOver | None = None,
        liking: SettingsStore | None = None,
        *,
        record: Recorded | None = None,
        library: Library | None = None,
    ) -> None:
        """Show a finished battle (a sequence of events) or a battle in progress (an iterable).

        rules : of the battle; None for a battle without
        take_over : starts a game from any moment of the battle
        liking : the settings; None for the defaults
        record : the battle in its file, if it is in one
        library : other battles that can be opened
        """
        self.setup = setup
        self._take_over = take_over
        self.rules = rules = Rules.unknown(setup) if rules is None else rules
        self.course = BattleSession(setup, start, events, rules)
        self.timeline, self.playback = self.course.timeline, self.course.playback
        self.news = News(setup, self.course, rules)
        self.liking = SettingsStore() if liking is None else liking
        self.marking = Marking(self.course, rules, self.liking)
        self.opening = Opening(library)
        self.pointing = FieldPointing(self)
        saving = SaveAs(None if record is None else record.path)
        lookup = RuleLookup(rules)
        self.lists = Lists(self.marking, self.opening, lookup, saving, self.pointing.menu)
        self.deeds = Deeds(setup, self.course, rules)
        self.results = BattleResults(self.course, rules)
        if record is not None:
            self.marking.bookmarks.keep_beside(record.path)
            self.deeds.record(record.orders)
        self.entry: OrderEntry | None = None
        self.selected: int | None = None
        self.tool = SightTool(setup, rules)
        self.tape = Tape(setup)
        self.tiles = TileGrid(setup)
        self.rings = RangeRings(setup, rules)
        self.missions = MissionOverlay(setup, rules)
        self.playback.play_at(self.liking.settings.speed)
        self.chart_key: tuple[tuple[str, str], ...] = ()
        self.scrolled: dict[str, int] = {}
        self.help = False
        self.alarm = self.liking.flaw
        self.notice = ""
        self._notice_left_s = 0.0

    @property
    def focus(self) -> int | None:
        """The unit whose view is shown: the selected one, or the observer of the sight tool."""
        return self.tool.observer if self.tool.active else self.selected

    @property
    def state(self) -> State:
        """The battle after the shown step; read-only, valid until the next step."""
        return self.course.state

    def contacts(self, state: State) -> Sequence[tuple[int, int]]:
        """Return the contacts: (unit, enemy that it can strike)."""
        return self.rules.system.contacts(self.rules.at(state))

    def sit_down(self, game_thread: GameThread, events: int) -> None:
        """Continue after *events* events, with new events and questions from *game_thread*."""
        self.course.cut(events)
        self._forget_what_was_seen()
        self.playback.seek(len(self.timeline))
        self.entry = OrderEntry(self.setup, game_thread)
        self.course.follow(game_thread.run())
        self.deeds.record(())
        self.marking.bookmarks.keep_beside(game_thread.game.path)
        self.lists.saving.file = game_thread.game.path
        self._share_eyes()
        self.say(f"orders are saved to {game_thread.game.path.name}")

    def take_over(self) -> None:
        """Continue from the shown moment, as the selected unit's side or the first side.

        In a game, later orders of players are undone.
        """
        events = self.timeline.count_at(self.course.step)
        if self.entry is not None:
            back = self.entry.thread.take_back_to(events)
            self.say("undone" if back else "nothing to undo since then")
            return
        if self._take_over is None or self.course.live:
            self.say("this battle cannot be taken over")
            return
        side = 0 if self.selected is None else self.state.units.integer("side", self.selected)
        try:
            game_thread = self._take_over(events, side)
        except Error as flaw:
            self.alarm = str(flaw)
            return
        self.sit_down(game_thread, events)
        self.say(f"you command {self.setup.sides[side].name}; record: {game_thread.game.path.name}")

    def tick(self, dt: float) -> None:
        """Advance by *dt* seconds: add new events, continue playback."""
        if self.entry is not None:
            self.entry.thread.tick()
        self._take_in()
        self._heed_lists()
        self.results.update()
        self.playback.tick(dt)
        if self.entry is not None:
            self._attend(self.entry)
        if self.tool.active:
            self.tool.tick(dt, self.state, self.course.step)
        self.rings.tick(dt, self.selected, self.state, self.course.step)
        self._notice_left_s -= dt
        if self._notice_left_s <= 0:
            self.notice = ""

    def say(self, notice: str) -> None:
        """Show a message for a short time."""
        self.notice, self._notice_left_s = notice, NOTICE_S

    def scroll(self, panel: str, first: int) -> None:
        """Scroll a panel to its row *first*."""
        self.scrolled[panel] = first

    def select(self, unit: int | None) -> None:
        """Select a unit, or none; the sight tool takes it for its next role."""
        if self.tool.active:
            self.tool.pick(unit)
        else:
            self.selected = unit

    @property
    def tool_in_hand(self) -> Tool:
        """The tool that gets the keys: sight, the tape, or the order entry."""
        if self.tool.active:
            return "sight"
        if self.tape.active:
            return "tape"
        return "" if self.entry is None or self.help or self.alarm else "orders"

    def press(self, key: str) -> bool:
        """Press a key; return whether a list or the order entry used it."""
        entry = self.entry
        if entry is not None and entry.curtain is not None:
            entry.lift_by(key)
            self._share_eyes()
            return not key.startswith("mouse")
        if not self.help and self.lists.key(key):
            return True
        if entry is None or self.tool_in_hand != "orders":
            return False
        action = self.liking.settings.keys.action(key, "orders")
        return entry.key(key) or (action is not None and self.do_order(action.name))

    def do_order(self, name: str) -> bool:
        """Do an action of the order entry by its name; return whether it is possible now."""
        return self.entry is not None and self.tool_in_hand == "orders" and self.entry.act(name)

    def press_button(self, name: str) -> bool:
        """Press a button; return whether a list, the orders' panel or the curtain used it."""
        if self.lists.press(name):
            return True
        kind, _, what = name.partition(":")
        if kind == SCROLL:
            first, _, panel = what.partition(":")
            self.scroll(panel, int(first))
            return True
        if self.entry is None or kind not in {"order", CURTAIN}:
            return False
        if kind == CURTAIN:
            self.entry.lift()
            self._share_eyes()
        else:
            self.entry.press(what)
        return True

    def click(self, unit: int | None, place: tuple[float, float] | None) -> None:
        """Handle a click on a unit or a point of the ground: select it, or give an order."""
        self.pointing.click(unit, place)

    def toggle_tool(self) -> None:
        """Open the sight tool with the selected unit as the observer, or close it."""
        if self.tool.active:
            self.tool.close()
            return
        if self.tape.active:
            self.tape.toggle()
        self.tool.open(self.selected)

    def toggle_tape(self) -> None:
        """Open or close the measuring tape."""
        self.tool.close()
        self.tape.toggle()

    def point(self, place: tuple[float, float] | None) -> None:
        """Move the cursor to this point of the ground, GSU; None for none."""
        self.tool.point(place)
        self.tape.point(place)
        self.tiles.point(place)

    def on_field(self) -> tuple[SightOverlay | None, Overlay | None]:
        """Return the overlays of the current tool on the field and on the ground."""
        sight = self.sight()
        if sight is not None:
            return sight.sight_overlay, sight.ground
        if self.tape.active:
            return self.tape.sight_overlay(), None
        sight_overlay = None if self.entry is None else self.entry.hand.sight_overlay()
        return self.pointing.sight_overlay(sight_overlay), self.rings.overlay(self.state)

    def toggle_results(self) -> None:
        """Show or hide the results of the battle."""
        self.say(self.results.toggle())

    def tasks(self) -> tuple[Intent, ...]:
        """Return the missions drawn on the field: of the open plan, or of the selected side."""
        moment = self.course.step, self.course.version, self.course.in_fog_of
        return self.missions.shown(self.state, moment, self.entry)

    def sight(self) -> Sight | None:
        """Return the sight tool's answer for the moment; None if it is closed."""
        if not self.tool.active:
            return None
        return self.tool.look(self.state, self.course.step)

    def select_next(self, by: int) -> None:
        """Select the next or previous unit on the field; the first if none is selected."""
        if self.tool.active:
            self.tool.pick_next(self.state, by)
            return
        there = units_in_sight(self.state)[:: 1 if by > 0 else -1]
        beyond = [
            unit for unit in there if self.selected is None or (unit - self.selected) * by > 0
        ]
        self.selected = next(iter(beyond or there), None)

    def like(self, settings: Settings) -> None:
        """Use these settings now and in later windows."""
        try:
            self.liking.change(settings)
        except Error as flaw:
            self.alarm = str(flaw)

    def toggle_help(self) -> None:
        """Show or hide the keys."""
        self.help = not self.help

    def dismiss(self) -> None:
        """Close the topmost of: menu, keys, alarm, order or tool, selection of a unit."""
        if self.lists.menu.close():
            return
        if self.help:
            self.help = False
        elif self.alarm:
            self.alarm = ""
        elif self._put_order_down() or self._close_lists():
            pass
        elif self.tool.active:
            self.tool.close()
        elif self.tape.active:
            self.tape.toggle()
        else:
            self.selected = None

    def _close_lists(self) -> bool:
        return self.pointing.close() or self.lists.close() or self.results.hide()

    def _put_order_down(self) -> bool:
        """Cancel the current order; return whether there was one."""
        entry = self.entry
        if self.pointing.menu.close():
            return True
        return entry is not None and self.tool_in_hand == "orders" and entry.back()

    def status(self) -> HudState:
        """Return the text over the picture."""
        return hud_state_of(self)

    def close(self) -> None:
        """Stop the battle."""
        if self.entry is not None:
            self.entry.close()
        self.course.close()
        self.results.close()
        if self.entry is not None:
            self.entry.thread.game.close()

    def _take_in(self) -> None:
        version = self.course.version
        try:
            self.course.take_in()
        except Error as flaw:
            self.alarm = str(flaw)
        if self.course.version != version:
            self._forget_what_was_seen()

    def _heed_lists(self) -> None:
        """Mark new events, and show messages of the lists."""
        self.marking.update()
        notice, alarm = self.lists.take_notices()
        if notice:
            self.say(notice)
        self.alarm = alarm or self.alarm

    def _share_eyes(self) -> None:
        """Show only the current player's knowledge; discard that of another."""
        entry = self.entry
        if entry is not None and entry.thread.fog and self.course.in_fog_of != entry.eyes:
            self.course.look_through(entry.eyes)
            self.selected = None
            self.pointing.close()
            self.tool.close()
            self._forget_what_was_seen()

    def _forget_what_was_seen(self) -> None:
        """Discard the results of tools, because the course or the player has changed."""
        self.tool.forget()
        self.rings.forget()

    def _attend(self, entry: OrderEntry) -> None:
        """Show the waiting question once all earlier events have been shown."""
        if entry.notice:
            self.say(entry.notice)
            entry.notice = ""
        sheet = entry.waiting
        if not self.course.fed and entry.thread.game.is_taking_back:
            self.course.follow(entry.thread.run())
        if sheet is None or self.timeline.count != sheet.question.events:
            entry.rise()
            return
        self.timeline.pause()
        position = self.playback.position
        if position.step < len(self.timeline) or position.alpha < 1.0:
            entry.rise()
        elif entry.attend(sheet) and sheet.unit is not None:
            self.selected = sheet.unit
