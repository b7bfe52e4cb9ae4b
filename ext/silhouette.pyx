"""Solid angles of bodies seen from an eye, and of their visible parts.

Bodies are prisms over their outlines. Quarter by quarter the target's outline is cut, at the
directions of its corners, into stretches between a line where a ray from the eye comes in and one
where it goes out; in each stretch all that lies nearer than the first line is raised into one
horizon, and what of the stretch is above it is measured as a solid angle.

Callers go through ``emlia3d.geometry.silhouette``, which checks what is assumed here: rows within
range, finite numbers, heights not below 0, eyes outside of what they look at and of what may hide
it, scratch and output of the stated sizes.
"""

from envelope cimport Horizon, Piece
from foreground cimport (
    Eye, SilhouetteScratch, Solids, bury, chords_of, may_hide, raise_by_body, raise_by_ground,
    raise_by_horizon, sort,
)
from projection cimport Chord, NEAREST, SLIVER, Wedge, above, between, copied, flatten, lift
from surface cimport Ground


cdef Py_ssize_t lines_of(SilhouetteScratch *scratch, double xa, double xb) noexcept nogil:
    """The target's chords that go from one direction to another, the nearest first."""
    cdef Py_ssize_t k, i, count = 0
    cdef double middle = 0.5 * (xa + xb)
    cdef double near
    cdef const Chord *c
    cdef const Chord *other
    for k in range(scratch.targets):
        c = scratch.target + k
        if not (c.x0 <= xa and c.x1 >= xb):
            continue
        near = between(middle, c.x0, c.x1, c.w0, c.w1)
        i = count
        while i > 0:
            other = scratch.target + scratch.lines[i - 1]
            if between(middle, other.x0, other.x1, other.w0, other.w1) >= near:
                break
            scratch.lines[i] = scratch.lines[i - 1]
            i -= 1
        scratch.lines[i] = k
        count += 1
    return count


cdef bint ground_before(SilhouetteScratch *scratch, const Ground *g, const double *rim,
                        const Eye *eye,
                        const Wedge *wedge) noexcept nogil:
    """Have the scratch's ground horizon be that of all ground before a line; False for no room."""
    cdef Horizon *held
    flatten(scratch.all_, wedge.xa, wedge.xb, wedge.least, wedge.least)
    if not raise_by_ground(scratch, g, rim, eye, wedge, 1 / NEAREST):
        return False
    held = scratch.ground
    scratch.ground = scratch.all_
    scratch.all_ = held
    return True


cdef bint look(SilhouetteScratch *scratch, const Solids *s, const Ground *g, const double *rim,
               bint hides,
               const Eye *eye, Py_ssize_t target, const int *about, Py_ssize_t abouts,
               int *near, double *whole, double *seen) noexcept nogil:
    """Add what there is of the target in one quarter, and what of it is seen; False for no room.

    about : the bodies that may hide something; near : room for as many
    """
    cdef Wedge wedge
    cdef Chord c
    cdef const Chord *into
    cdef const Chord *out
    cdef Py_ssize_t k, i, line, lines, breaks = 0
    cdef double low = s.base[target] - eye.z
    cdef double high = low + s.height[target]
    cdef double high_a, high_b, sliver, farthest = 0, nearest = 0
    cdef Py_ssize_t nears = 0
    scratch.targets = chords_of(s, target, eye, 0, scratch.target)
    if scratch.targets == 0:
        return True
    for k in range(scratch.targets):
        scratch.breaks[2 * k] = scratch.target[k].x0
        scratch.breaks[2 * k + 1] = scratch.target[k].x1
        farthest = max(farthest, 1 / min(scratch.target[k].w0, scratch.target[k].w1))
        nearest = max(nearest, max(scratch.target[k].w0, scratch.target[k].w1))
    breaks = 2 * scratch.targets
    sort(scratch.breaks, breaks)
    for k in range(abouts):
        if about[k] != target and may_hide(s, about[k], eye, scratch.breaks[0],
                                           scratch.breaks[breaks - 1], farthest):
            near[nears] = about[k]
            nears += 1
    if g != NULL and hides:
        wedge.xa, wedge.xb = scratch.breaks[0], scratch.breaks[breaks - 1]
        wedge.wa = wedge.wb = nearest
        wedge.least = min(low * nearest, low / farthest)
        if not ground_before(scratch, g, rim, eye, &wedge):
            return False
    for k in range(breaks - 1):
        wedge.xa, wedge.xb = scratch.breaks[k], scratch.breaks[k + 1]
        if not wedge.xa < wedge.xb:
            continue
        lines = lines_of(scratch, wedge.xa, wedge.xb)
        # Over a body's own outline there is no line where the ray comes in.
        line = -(lines % 2)
        while line < lines:
            wedge.wa = wedge.wb = 1 / NEAREST
            if line >= 0:
                into = scratch.target + scratch.lines[line]
                wedge.wa = between(wedge.xa, into.x0, into.x1, into.w0, into.w1)
                wedge.wb = between(wedge.xb, into.x0, into.x1, into.w0, into.w1)
            out = scratch.target + scratch.lines[line + 1]
            high_a, high_b = high * wedge.wa, high * wedge.wb
            if high < 0:
                high_a = high * between(wedge.xa, out.x0, out.x1, out.w0, out.w1)
                high_b = high * between(wedge.xb, out.x0, out.x1, out.w0, out.w1)
            wedge.least = min(low * wedge.wa, low * wedge.wb)
            sliver = SLIVER * (max(high_a, high_b) - wedge.least)
            if line <= 0:
                flatten(scratch.own, wedge.xa, wedge.xb, low * wedge.wa, low * wedge.wb)
            else:
                c.x0, c.x1, c.s0, c.s1 = wedge.xa, wedge.xb, low * wedge.wa, low * wedge.wb
                if not lift(&scratch.own, &scratch.spare, &c):
                    return False
            if g != NULL and line >= 0 and not bury(scratch, g, eye, &wedge):
                return False
            if not copied(scratch.own, scratch.all_):
                return False
            farthest = 1 / min(wedge.wa, wedge.wb)
            for i in range(nears):
                if (may_hide(s, near[i], eye, wedge.xa, wedge.xb, farthest)
                        and not raise_by_body(scratch, s, near[i], target, eye, &wedge)):
                    return False
            if g != NULL and hides and line >= 0 and not (
                    raise_by_horizon(scratch, scratch.ground, &wedge)
                    and raise_by_ground(scratch, g, rim, eye, &wedge, nearest)):
                return False
            whole[0] += above(scratch.own, &wedge, high_a, high_b, sliver)
            seen[0] += above(scratch.all_, &wedge, high_a, high_b, sliver)
            c.x0, c.x1, c.s0, c.s1 = wedge.xa, wedge.xb, high_a, high_b
            if not lift(&scratch.own, &scratch.spare, &c):
                return False
            line += 2
    return True


cdef Py_ssize_t about_eye(const Solids *s, const Eye *eye, const int[::1] targets,
                          const int[::1] obstacles, int *about) noexcept:
    """Find the obstacles that reach into the box round an eye and all its targets."""
    cdef double west = eye.x, south = eye.y, east = eye.x, north = eye.y
    cdef const double *box
    cdef Py_ssize_t k, count = 0
    for k in range(targets.shape[0]):
        box = s.boxes + 4 * targets[k]
        west, south = min(west, box[0]), min(south, box[1])
        east, north = max(east, box[2]), max(north, box[3])
    for k in range(obstacles.shape[0]):
        box = s.boxes + 4 * obstacles[k]
        if box[0] <= east and box[2] >= west and box[1] <= north and box[3] >= south:
            about[count] = obstacles[k]
            count += 1
    return count


def shares(const double[::1] x, const double[::1] y, const int[::1] rings, const int[::1] bodies,
           const double[:, ::1] boxes, const double[::1] base, const double[::1] height,
           const double[:, ::1] heights, const double[::1] frame, const double[::1] rim,
           bint hides, const double[:, ::1] eyes, const int[::1] targets,
           const int[::1] obstacles, Py_ssize_t start, Py_ssize_t widest, Py_ssize_t room,
           double[::1] numbers, Py_ssize_t[::1] places, int[::1] near, double[:, ::1] out):
    """out[i, j] = the share of the body targets[j] that eyes[i] sees; 0 for no body to be seen.

    heights, frame : the ground and its cell, west, north; no rows for none
    rim : west, south, east, north of all that there is, and beyond it
    hides : whether the ground hides anything, beside burying what stands in it
    start : the pair to begin with, counted along the rows of out
    widest : points of the body that has most
    room : for the pieces of a horizon
    numbers : 17 * widest + 16 + 2 * (rows + cols) + 12 * room doubles; places : widest;
        near : twice as many as there are obstacles, and one

    Returns the first pair that there was no room for, or the number of all.
    """
    cdef Solids s
    cdef Ground ground
    cdef const Ground *g = NULL
    cdef Eye eye
    cdef SilhouetteScratch scratch
    cdef Horizon horizons[4]
    cdef Py_ssize_t i, j, k, pair, abouts = 0, of_eye = -1
    cdef Py_ssize_t count = targets.shape[0]
    cdef double whole, seen
    cdef bint fits = True
    s.x, s.y, s.rings, s.bodies = &x[0], &y[0], &rings[0], &bodies[0]
    s.boxes, s.base, s.height = &boxes[0, 0], &base[0], &height[0]
    if heights.shape[0]:
        ground.heights = &heights[0, 0]
        ground.rows, ground.cols = heights.shape[0], heights.shape[1]
        ground.cell, ground.west, ground.north = frame[0], frame[1], frame[2]
        g = &ground
    scratch.target = <Chord *> <void *> &numbers[0]
    scratch.obstacle = scratch.target + widest
    scratch.breaks = <double *> (scratch.obstacle + widest)
    scratch.marks = scratch.breaks + 2 * widest
    scratch.lines = &places[0]
    for k in range(4):
        horizons[k].pieces = <Piece *> <void *> &numbers[numbers.shape[0] - 3 * room * (k + 1)]
        horizons[k].room = room
    for pair in range(start, eyes.shape[0] * count):
        i, j = pair // count, pair % count
        whole = seen = 0
        eye.x, eye.y, eye.z = eyes[i, 0], eyes[i, 1], eyes[i, 2]
        if i != of_eye:
            abouts = about_eye(&s, &eye, targets, obstacles, &near[0])
            of_eye = i
        with nogil:
            for k in range(4):
                eye.quarter = <int> k
                scratch.own, scratch.all_ = &horizons[0], &horizons[1]
                scratch.spare, scratch.ground = &horizons[2], &horizons[3]
                fits = look(&scratch, &s, g, &rim[0], hides, &eye, targets[j], &near[0], abouts,
                            &near[0] + abouts, &whole, &seen)
                if not fits:
                    break
        if not fits:
            return pair
        out[i, j] = seen / whole if whole > 0 else 0
    return eyes.shape[0] * count
