"""The ways to show a battle: one picture, a film, or a window that plays it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.events import Event
from emlia3d.battle.questions.cohesion import Cohesion, FormationTag
from emlia3d.battle.questions.intents import Intent
from emlia3d.battle.questions.objectives import ObjectivePlace
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.camera import framing
from emlia3d.view.camera.shots import action_view, camera_of
from emlia3d.view.filming.reel import VideoWriter, library
from emlia3d.view.filming.script import RATE, script_of
from emlia3d.view.moment.cohesion import links_of
from emlia3d.view.moment.contact_lines import not_striking, seams_of
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.intents import intents_of
from emlia3d.view.moment.scene import Camera, Chart
from emlia3d.view.moment.tile_edges import drawn_board, drawn_tiles
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.rules import Rules
from emlia3d.view.sight.sight_overlay import added
from emlia3d.view.sight.sightsheet import room_for, still_layout
from emlia3d.view.sight.sighttool import Sight
from emlia3d.view.window.opening import Library, TakeOver
from emlia3d.view.window.settings import SettingsStore
from emlia3d.view.window.unit_history import Recorded
from emlia3d.view.window.viewer import Viewer


def picture(  # noqa: PLR0913  what may be wanted of a picture, each by its name
    setup: Setup,
    state: State,
    camera: str | Camera | None = None,
    *,
    unit: int | None = None,
    events: Sequence[Event] = (),
    action: Sequence[Event] = (),
    contacts: Sequence[tuple[int, int]] = (),
    intents: Sequence[Intent] = (),
    cohesion: Cohesion | None = None,
    formations: Sequence[FormationTag] = (),
    objectives: Sequence[ObjectivePlace] = (),
    sight: Sight | None = None,
    size: tuple[int, int] = (1280, 720),
    path: Path | None = None,
    display: str | None = None,
    chart: Chart = "country",
    grid: bool = False,
) -> NDArray[np.uint8]:
    """Draw a battle as it stands; (height, width, 3) uint8, red first, top row first.

    camera : "overview" (the whole fight), "fight" (where it is thickest), "top" (the map), "eye"
        (what someone in *unit* sees), a view that the scenario names, or any place to look from;
        where None, the fight is framed wherever it is, or all of a sight corridor
    unit : shown as chosen; "eye" takes the first unit on the field where None is given
    events : what has just happened, shown by marks
    action : events whose units the camera shows if None is named, and of which "eye" takes the
        first unit
    contacts : (unit, enemy) who are at close quarters, joined by a line unless blows are shown
    intents : tasks of units, drawn on the ground
    cohesion : links of a formation, and zones of control, drawn on the ground
    formations : that have one tag each, and signs on the ground
    objectives : places that have a flag each
    sight : what the sight tool shows, with its answer at the right
    path : where to keep the picture as well
    chart : how the ground is drawn: as the country that it is, as relief, or tinted by slope
    grid : whether a grid of tiles is laid over the ground
    display : a way to draw, by name; the best there is where None is given

    Raises
    ------
    DisplayError
        Nothing on this machine can draw.
    Error
        The battle has no view of that name.
    """
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  only here is it wanted
    from emlia3d.view.panda.picture import draw_picture, save_picture  # noqa: PLC0415

    on_foot = camera == "eye" or any(
        point.name == camera and point.unit is not None for point in setup.viewpoints
    )
    terrain = terrain_of(setup, state, stated=on_foot or sight is not None)
    scene = scene_of(
        setup,
        state,
        events=events,
        selected=unit,
        terrain=terrain,
        contours=not on_foot,
        formations=formations,
        objectives=objectives,
    )
    seams = seams_of(setup, state, not_striking(contacts, events), scene.terrain)
    meant = intents_of(setup, state, intents, scene.terrain)
    held = () if cohesion is None else links_of(setup, state, cohesion, scene.terrain)
    scene = replace(scene, chart=chart, marks=(*scene.marks, *seams, *meant, *held))
    board = drawn_board(setup.field) if grid else None
    if board is not None:
        scene = replace(scene, tiles=drawn_tiles(setup.field, board))
    aspect = size[0] / size[1]
    if camera is None and sight is not None and sight.sight_overlay.overlays:
        camera = framing.corridor(scene, sight.sight_overlay.places_m, aspect, room_for(size))
    elif camera is None:
        camera = action_view(setup, state, scene, action, aspect)
    elif not isinstance(camera, Camera):
        looks = next((event.unit for event in action), None) if unit is None else unit
        camera = camera_of(setup, state, scene, camera, unit=looks, aspect=aspect)
    panels = None
    if sight is not None:
        scene = added(scene, sight.sight_overlay, sight.ground)
        panels = partial(still_layout, sight.card)
    image = draw_picture(scene, camera, size, choose(display), panels)
    if path is not None:
        save_picture(path, image)
    return image


def watch(  # noqa: PLR0913  what a window may be given, each by its name
    setup: Setup,
    state: State,
    events: Iterable[Event],
    *,
    rules: Rules | None = None,
    asked: tuple[int, int | None] | None = None,
    game_thread: GameThread | None = None,
    take_over: TakeOver | None = None,
    liking: SettingsStore | None = None,
    record: Recorded | None = None,
    library: Library | None = None,
    size: tuple[int, int] = (1280, 720),
    full_screen: bool = False,
    directed: bool = False,
    grid: bool = False,
    display: str | None = None,
    each_frame: Callable[[], None] | None = None,
) -> None:
    """Play a battle in a window until it is closed.

    state : the battle before the first event; it is copied
    events : a sequence for a finished battle; any other iterable is taken as a battle
        in progress, which the window never waits for
    rules : of the battle; None for a battle without
    asked : observer and target that the sight tool begins with; without a target, with the
        observer's viewshed
    game_thread : the thread that asks people for orders; *events* are then the earlier ones
    take_over : starts a game from any moment of the battle
    liking : the window's settings; None for the defaults
    record : the battle in its file, if it is in one; bookmarks are kept beside it
    library : other battles that can be opened in the window
    directed : whether the camera goes to the action until someone moves it
    grid : whether it begins with a grid of tiles on the ground
    each_frame : called before each frame; an exception that it raises closes the window

    Raises
    ------
    DisplayError
        No window can be opened here.
    """
    from emlia3d.view.panda.app import App  # noqa: PLC0415  only here is it wanted

    app = App(
        setup,
        state,
        events,
        rules=rules,
        game_thread=game_thread,
        take_over=take_over,
        liking=liking,
        record=record,
        library=library,
        size=size,
        full_screen=full_screen,
        directed=directed,
        display=display,
    )
    if grid and not app.viewer.tiles.is_shown:
        app.viewer.tiles.toggle()
    if asked is not None:
        app.viewer.tool.begin(*asked)
        app.frame_corridor()
    app.run(each_frame)


def film(  # noqa: PLR0913  what may be wanted of a film, each by its name
    setup: Setup,
    state: State,
    events: Sequence[Event],
    path: Path,
    camera: str = "overview",
    *,
    rules: Rules | None = None,
    turn_s: float = 6.0,
    size: tuple[int, int] = (1280, 720),
    display: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Film a finished battle as MP4 or WebM; return the number of pictures.

    state : the battle before the first event; it is copied
    path : the file; its ending selects the format
    camera : a view by name, which follows the battle
    turn_s : average duration of a turn
    size : of the video, pixels; odd sizes are made even
    progress : called with the number of pictures done, and of all

    Raises
    ------
    DisplayError
        Nothing on this machine can draw.
    MissingExtraError
        PyAV is not installed.
    Error
        The file cannot be written, or the battle has no view of that name.
    """
    library()  # asked for before anything is drawn
    from emlia3d.view.panda.display import choose  # noqa: PLC0415  only here is it wanted
    from emlia3d.view.panda.film import pictures  # noqa: PLC0415

    even = size[0] + size[0] % 2, size[1] + size[1] % 2
    viewer = Viewer(setup, state, tuple(events), rules)
    script = script_of(viewer.timeline, turn_s)
    chosen = choose(display)
    with VideoWriter(path, even, RATE) as reel:
        for number, image in enumerate(pictures(chosen, setup, viewer, script, camera, even)):
            reel.add(image)
            if progress is not None:
                progress(number + 1, script.pictures)
    return script.pictures
