"""Levels of concealment between units: by their boundaries, and member by member, in one call each.

A `Field` holds the columns of all bodies and units at one moment. For each pair it finds the bodies
in the corridor, the share that the ground blocks, and the level that follows, by the functions
that ``corridor_obstacles`` and ``classify_occlusion`` use too. Callers go through
``emlia3d.rules.emlia.kernels.sight_levels``, which checks that columns belong together.

What rounding could decide is left open; that is the caller's to find by other means.
"""

from libc.math cimport isnan
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cimport cython
from blocked cimport look_once, look_through
from circles cimport take_circles
from workspace cimport Workspace, Member, cut
from in_corridor cimport Question, gather, list_between
from judged cimport judge
from marks cimport take_all
from measured cimport box_of, centroid_of, hull_of
from raster cimport raster_of
from risen cimport room_for_cells, take_cells
from shadow_rules cimport FROM_SHADOW, NONE, PARTIAL, TOTAL, Thresholds
from solidity cimport point
from view cimport look_along

cdef enum:
    BY_GROUND = -2          # stands for the row of a body, as -1 does for none
    FULL = -1               # a sweep ran out of room
    OPEN = 3                # stands for a level that is left to the caller
    APART = 16              # one in this number of members is asked about before the others


cdef class Field:
    """All bodies and units at one moment, in the columns of `SightField`."""

    cdef const double[::1] x, y, hull_x, hull_y, thickness, tops, origin, footings, radii
    cdef const double[:, ::1] boxes, to_centroids, build, corners, heights, highest_tiles, lows
    cdef const int32_t[::1] rings, bodies, hulls, obstacles, rows, own, starts
    cdef const uint8_t[::1] solid, convex, crouched, raised, alone, on_hill
    cdef const uint8_t[:, ::1] camouflaged
    cdef const float[:, ::1] blocks, circles
    cdef Py_ssize_t widest
    cdef double margin, step, cell, west, north, highest
    cdef bint has_ground
    cdef Thresholds limit

    def __init__(self, outlines, Py_ssize_t widest, screen, kinds, units, ranks, ground,
                 limits, double step):
        """Take the columns."""
        (self.x, self.y, self.rings, self.bodies, self.boxes, self.to_centroids, self.hull_x,
         self.hull_y, self.hulls, self.solid) = outlines
        self.widest = widest
        self.origin, self.margin, self.blocks, self.circles, self.obstacles = screen
        self.thickness, self.tops, self.camouflaged, self.convex = kinds
        (self.rows, self.own, self.build, self.footings, self.crouched, self.raised, self.alone,
         self.on_hill) = units
        self.corners, self.starts, self.radii = ranks
        self.has_ground = ground is not None
        if self.has_ground:
            (self.heights, self.cell, self.west, self.north, self.highest, self.highest_tiles,
             self.lows) = ground
        self.limit.half, self.limit.slack, self.limit.crouch = limits
        self.step = step

    cdef void cut_up(self, Workspace *d, Py_ssize_t widest, Py_ssize_t marks, Py_ssize_t room,
                     bint draws) noexcept nogil:
        """Cut the memory up; *marks* for a corridor, *room* for the outline of the ground."""
        cdef Py_ssize_t circles = self.circles.shape[1], words = self.bodies.shape[0] // 64 + 1
        cdef Py_ssize_t rows = 0, cols = 0, ground_marks = 4 * room + 8 * widest
        cdef double *numbers
        cdef int32_t *places
        d.used = 0
        d.c.shares = <double *> cut(d, 8 * circles)
        d.c.found = <double *> cut(d, 8 * circles)
        d.c.rows = d.v.near = <int32_t *> cut(d, 4 * circles)
        d.c.places = <int32_t *> cut(d, 4 * circles)
        d.c.together = <int32_t *> cut(d, 4 * circles)
        d.c.which = <uint8_t *> cut(d, circles)
        d.c.is_solid = <uint8_t *> cut(d, circles)
        d.between.rows = <int32_t *> cut(d, 4 * circles)
        d.between.shares = <double *> cut(d, 8 * circles)
        d.between.which = <uint8_t *> cut(d, circles)
        d.between.is_solid = <uint8_t *> cut(d, circles)
        d.measures.to_observer = <double *> cut(d, 8 * circles)
        d.measures.to_observed = <double *> cut(d, 8 * circles)
        d.measures.observer_depth = <double *> cut(d, 8 * circles)
        d.measures.observed_depth = <double *> cut(d, 8 * circles)
        d.measures.to_perch = <double *> cut(d, 8 * circles)
        d.measures.unsure = <uint8_t *> cut(d, circles)
        d.n.marked = <uint64_t *> cut(d, 8 * words)
        d.n.shut = <uint64_t *> cut(d, 8 * words)
        d.n.words = words
        d.b.spare = <double *> cut(d, 8 * (8 * widest + 8))
        numbers = <double *> cut(d, 8 * (48 * widest + marks))
        places = <int32_t *> cut(d, 4 * 2 * widest)
        if d.memory != NULL:
            take_all(&d.v.c, &d.v.w, &d.v.e, numbers, <int *> places, widest, widest, marks)
        if self.has_ground:
            rows, cols = self.heights.shape[0], self.heights.shape[1]
            d.look.upper = <double *> cut(d, 8 * (cols + 4))
            d.look.lower = <double *> cut(d, 8 * (cols + 4))
            numbers = <double *> cut(d, 8 * (40 * widest + 8 * room + ground_marks))
            places = <int32_t *> cut(d, 4 * (2 * room + room_for_cells(rows)))
            if d.memory != NULL:
                take_cells(&d.look.cells, places + 2 * room, rows)
                take_all(&d.look.c, &d.look.w, &d.look.e, numbers, <int *> places, widest, room,
                         ground_marks)
        d.room = room
        if draws:
            self.cut_member(d, widest)

    @cython.boundscheck(False)
    cdef void cut_member(self, Workspace *d, Py_ssize_t widest) noexcept nogil:
        """Copy the columns of the bodies, with room for one more."""
        cdef Py_ssize_t points = self.x.shape[0], corners = self.hull_x.shape[0]
        cdef Py_ssize_t rings = self.rings.shape[0], bodies = self.bodies.shape[0]
        cdef Member *m = &d.member
        cdef double *boxes
        cdef double *to_centroids
        cdef int32_t *ring_ends
        cdef int32_t *body_ends
        cdef int32_t *hull_ends
        m.row, m.point, m.corner = <int32_t> bodies - 1, points, corners
        m.x = <double *> cut(d, 8 * (points + widest))
        m.y = <double *> cut(d, 8 * (points + widest))
        m.hull_x = <double *> cut(d, 8 * (corners + widest + 1))
        m.hull_y = <double *> cut(d, 8 * (corners + widest + 1))
        boxes = <double *> cut(d, 8 * 4 * bodies)
        to_centroids = <double *> cut(d, 8 * 2 * bodies)
        ring_ends = <int32_t *> cut(d, 4 * (rings + 1))
        body_ends = <int32_t *> cut(d, 4 * (bodies + 1))
        hull_ends = <int32_t *> cut(d, 4 * (bodies + 1))
        m.spare = <double *> cut(d, 8 * 2 * widest)
        if d.memory == NULL:
            return
        memcpy(m.x, &self.x[0], 8 * points)
        memcpy(m.y, &self.y[0], 8 * points)
        memcpy(m.hull_x, &self.hull_x[0], 8 * corners)
        memcpy(m.hull_y, &self.hull_y[0], 8 * corners)
        memcpy(boxes, &self.boxes[0, 0], 8 * 4 * (bodies - 1))
        memcpy(to_centroids, &self.to_centroids[0, 0], 8 * 2 * (bodies - 1))
        memcpy(ring_ends, &self.rings[0], 4 * rings)
        memcpy(body_ends, &self.bodies[0], 4 * bodies)
        memcpy(hull_ends, &self.hulls[0], 4 * bodies)
        body_ends[bodies] = <int32_t> rings
        m.box, m.to_centroid = boxes + 4 * m.row, to_centroids + 2 * m.row
        m.ring_end, m.hull_end = ring_ends + rings, hull_ends + bodies
        d.b.o.x, d.b.o.y, d.b.o.rings, d.b.o.bodies = m.x, m.y, ring_ends, body_ends
        d.b.o.boxes, d.b.o.to_centroids = boxes, to_centroids
        d.b.o.hull_x, d.b.o.hull_y, d.b.o.hulls = m.hull_x, m.hull_y, hull_ends

    # Only addresses are taken here, also of columns that are empty as there is no obstacle.
    @cython.boundscheck(False)
    cdef int begin(self, Workspace *d, const uint8_t[::1] counts, Py_ssize_t widest,
                   Py_ssize_t times, bint draws) except -1:
        """Get memory and point at the columns; *times* as much room as at first."""
        cdef Py_ssize_t marks = times * (64 + 8 * widest), room = 0
        if self.has_ground:
            room = times * (4 * (self.heights.shape[0] + self.heights.shape[1]) + 64)
        d.memory = NULL
        self.cut_up(d, widest, marks, room, draws)
        d.memory = <char *> malloc(d.used)
        if d.memory == NULL:
            raise MemoryError
        point(&d.b, self.x, self.y, self.rings, self.bodies, self.boxes, self.to_centroids,
              self.hull_x, self.hull_y, self.hulls, self.solid, self.thickness, widest, NULL)
        self.cut_up(d, widest, marks, room, draws)
        d.kinds.tops, d.kinds.counts = &self.tops[0], &counts[0]
        d.ranks.corners = &self.corners[0, 0] if self.corners.shape[0] else NULL
        d.ranks.starts, d.ranks.radii = &self.starts[0], &self.radii[0]
        take_circles(&d.n.blocks, self.blocks)
        take_circles(&d.n.circles, self.circles)
        d.n.origin, d.n.margin, d.n.rows = &self.origin[0], self.margin, &self.obstacles[0]
        memset(d.n.marked, 0, 8 * d.n.words)
        if self.has_ground:
            d.look.enough = 0.5
            d.g = raster_of(self.heights, self.cell, self.west, self.north, self.highest,
                            self.highest_tiles, self.lows)
        return 0

    cdef bint measure_ground(self, Workspace *d, const Question *q, double *out) noexcept nogil:
        """Measure the shares of the corridor that the ground blocks; False for no room."""
        cdef bint swapped = d.v.a != q.ends[0]
        cdef double mark, eye = q.observer[0] + q.observer[1]
        cdef int k
        out[0] = out[1] = 0
        if not self.has_ground or not d.is_laid:
            return True
        for k in range(2):
            # Half to the top hides wholly, and for an observed that is partly hidden for other
            # reasons the line to the half decides nothing.
            if k and (q.partly or out[0] >= d.look.enough):
                out[1] = out[0]
                return True
            mark = q.observed[0] + q.observed[1] * (0.5 if k else 1.0)
            out[k] = look_once(&d.look, &d.g, &d.b.o, d.room, mark if swapped else eye,
                               eye if swapped else mark)
            if out[k] < 0:
                return False
        return True

    cdef void lay(self, Workspace *d, const Question *q) noexcept nogil:
        """Lay the corridor of a question out, and find what comes near it."""
        d.c.count = 0
        d.is_laid = look_along(&d.v, &d.b.o, q.ends[0], q.ends[1])
        if d.is_laid:
            gather(&d.c, &d.v, &d.n)
        if self.has_ground:
            look_through(&d.look, &d.v.c, d.v.a, d.v.b, d.is_laid)

    @cython.boundscheck(False)
    cdef int ask(self, Workspace *d, const Question *q, const int32_t *units, const uint8_t *alone,
                 int32_t *by) noexcept nogil:
        """Return the level of one observed, OPEN or FULL, in a corridor that is laid out.

        by : the row of the body that alone hides it, BY_GROUND, or -1 for none
        """
        cdef double ground[2]
        cdef bint hidden = False, perched
        cdef uint8_t level = 0
        cdef Py_ssize_t k, left, count
        count = list_between(&d.c, &d.v, &d.b, d.n.shut, &d.kinds, q, self.limit.half, False,
                             &d.between, &hidden, by)
        if count < 0:
            return FULL
        if hidden:
            return TOTAL
        if not self.measure_ground(d, q, ground):
            return FULL
        if ground[0] >= self.limit.half:
            by[0] = BY_GROUND
            return TOTAL
        perched = self.raised[units[1]] or q.observed[0] - q.observer[0] >= self.step
        left = judge(&d.b, &d.ranks, &self.limit, d.kinds.tops, &self.convex[0], q, units,
                     alone, perched, ground, &d.between, count, False, False, &d.measures, &level)
        if left:
            return OPEN
        if self.on_hill[units[1]]:
            for k in range(count):
                if d.between.which[k] == FROM_SHADOW and not isnan(d.measures.to_perch[k]):
                    return OPEN
        return level

    cdef void look_up(self, Py_ssize_t unit, double *figures) noexcept nogil:
        """Write footing, height, size and reach of a unit."""
        figures[0] = self.footings[unit]
        figures[1], figures[2] = self.build[unit, 0], self.build[unit, 1]
        figures[3] = self.build[unit, 2]

    @cython.boundscheck(False)
    cdef void observe(self, Question *q, Py_ssize_t observed) noexcept nogil:
        """Put into a question what belongs to the unit that is observed."""
        q.camouflaged, q.own = &self.camouflaged[observed, 0], self.own[observed]
        q.crouched = self.crouched[observed]

    cdef Py_ssize_t ask_pairs(self, Workspace *d, const int32_t[:, ::1] pairs, Py_ssize_t begin,
                              Py_ssize_t stop, uint8_t[:, ::1] levels, int32_t[:, ::1] by,
                              uint8_t[::1] touching) noexcept nogil:
        """Ask pair after pair, both ways; return the pair for which there was no room."""
        cdef Question q
        cdef double figures[2][4]
        cdef int32_t units[2]
        cdef uint8_t alone[2]
        cdef Py_ssize_t k
        cdef int way, found
        q.partly = False
        for k in range(begin, stop):
            for way in range(2):
                units[0], units[1] = pairs[k, way], pairs[k, 1 - way]
                alone[0], alone[1] = self.alone[units[0]], self.alone[units[1]]
                q.ends[0], q.ends[1] = self.rows[units[0]], self.rows[units[1]]
                if way == 0:
                    self.look_up(units[0], figures[0])
                    self.look_up(units[1], figures[1])
                    self.lay(d, &q)
                    touching[k] = d.v.touch
                q.observer, q.observed = figures[way], figures[1 - way]
                self.observe(&q, units[1])
                found = self.ask(d, &q, units, alone, &by[k, way])
                if found == FULL:
                    return k
                levels[k, way] = <uint8_t> found
        return stop

    def pairs(self, const int32_t[:, ::1] pairs, const uint8_t[::1] counts, Py_ssize_t begin,
              Py_ssize_t stop, uint8_t[:, ::1] levels, int32_t[:, ::1] by, uint8_t[::1] touching):
        """Find the levels of pairs *begin* to *stop*, as of `SightField.by_boundary`."""
        cdef Workspace d
        cdef Py_ssize_t k = begin, times = 1
        while k < stop:
            self.begin(&d, counts, self.widest, times, False)
            with nogil:
                k = self.ask_pairs(&d, pairs, k, stop, levels, by, touching)
            free(d.memory)
            times *= 2

    cdef int ask_member(self, Workspace *d, Question *q, const int32_t *units, const double *spot,
                        const double *figure, Py_ssize_t points) noexcept nogil:
        """Draw one member and find how much of it alone is concealed; as of `ask`."""
        cdef Member *m = &d.member
        cdef Py_ssize_t first = m.point, k
        cdef uint8_t hole = 0
        cdef uint8_t alone[2]
        cdef int32_t by
        for k in range(points):
            m.x[first + k] = spot[0] + figure[2 * k]
            m.y[first + k] = spot[1] + figure[2 * k + 1]
        m.ring_end[0] = <int32_t> (first + points)
        box_of(m.x, m.y, first, first + points, m.box)
        centroid_of(m.x, m.y, m.ring_end - 1, &hole, 0, 1, m.to_centroid)
        m.hull_end[0] = <int32_t> hull_of(m.x, m.y, first, first + points, m.spare,
                                          m.spare + points, m.hull_x, m.hull_y, m.corner)
        self.lay(d, q)
        if d.v.touch:
            return OPEN
        alone[0], alone[1] = self.alone[units[0]], True
        return self.ask(d, q, units, alone, &by)

    cdef int ask_members(self, Workspace *d, Question *q, const int32_t *units, int first,
                         const double *spots, const double *footings, Py_ssize_t count,
                         const double *figure, Py_ssize_t points, int floor,
                         int32_t *exposed) noexcept nogil:
        """Find the least level of all members, NONE once one is exposed; OPEN or FULL.

        The first is asked before the others, then a few that are far apart.
        """
        cdef Py_ssize_t member, stride = APART, start = 0
        cdef int found, least = TOTAL
        cdef double figures[4]
        cdef bint is_open = False
        self.look_up(units[1], figures)
        q.observed = figures
        member = first
        while True:
            figures[0] = footings[member]
            found = self.ask_member(d, q, units, spots + 2 * member, figure, points)
            if found == FULL:
                return FULL
            if found == OPEN:
                is_open = True
            elif found <= floor:
                exposed[0] = <int32_t> member
                return NONE
            else:
                least = min(least, found)
            member = 0 if first >= 0 else member + stride
            first = -1
            while member >= count:
                start = APART // 2 if start == 0 else start // 2
                if start == 0 or stride == 1:
                    return OPEN if is_open else least
                stride, member = 2 * start, start

    cdef Py_ssize_t ask_searches(self, Workspace *d, const int32_t[:, ::1] pairs,
                                 const uint8_t[::1] floors, const int32_t[:, ::1] wheres,
                                 const double[:, ::1] spots, const double[::1] footings,
                                 const double[:, ::1] figures, Py_ssize_t begin, Py_ssize_t stop,
                                 uint8_t[::1] levels, int32_t[::1] exposed) noexcept nogil:
        """Ask search after search; return the one for which there was no room."""
        cdef Question q
        cdef double observer[4]
        cdef Py_ssize_t k
        cdef int found
        for k in range(begin, stop):
            self.look_up(pairs[k, 0], observer)
            q.observer = observer
            q.ends[0], q.ends[1] = self.rows[pairs[k, 0]], d.member.row
            q.partly = floors[k] >= PARTIAL
            self.observe(&q, pairs[k, 1])
            found = self.ask_members(
                d, &q, &pairs[k, 0], wheres[k, 0], &spots[wheres[k, 1], 0],
                &footings[wheres[k, 1]], wheres[k, 2], &figures[wheres[k, 3], 0], wheres[k, 4],
                floors[k], &exposed[k])
            if found == FULL:
                return k
            levels[k] = <uint8_t> found
        return stop

    def members(self, const int32_t[:, ::1] pairs, const uint8_t[::1] floors,
                const int32_t[:, ::1] wheres, const double[:, ::1] spots,
                const double[::1] footings, const double[:, ::1] figures,
                const uint8_t[::1] counts, Py_ssize_t begin, Py_ssize_t stop,
                uint8_t[::1] levels, int32_t[::1] exposed):
        """Find the levels of searches *begin* to *stop*, as of `SightField.by_members`."""
        cdef Workspace d
        cdef Py_ssize_t k = begin, times = 1, widest = self.widest
        for k in range(begin, stop):
            widest = max(widest, wheres[k, 4])
        k = begin
        while k < stop:
            self.begin(&d, counts, widest, times, True)
            with nogil:
                k = self.ask_searches(&d, pairs, floors, wheres, spots, footings, figures, k, stop,
                                      levels, exposed)
            free(d.memory)
            times *= 2
