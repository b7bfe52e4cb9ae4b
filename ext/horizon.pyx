"""Viewshed of an eye: part of a quarter of the compass, row by row away from the eye.

For each centre the kernel marks whether a point at a height above it is seen, or it finds the
least height at which one is.

Each row of centres is held against the horizon that all ground nearer by makes, then raises it.
Tiles of the ground that lie wholly below the horizon are passed over.
Every piece of the horizon keeps the coefficients of the edge of the ground that it is, so errors
do not build up: a horizon is true but for `doubt`, and a centre within that of it is marked for
the walk without rounding.

Callers go through ``emlia3d.geometry.horizon``, which checks what is assumed here: a raster of
at least two rows and columns, an eye within it and above its ground.
"""

from libc.math cimport ceil, fabs, floor

from envelope cimport Horizon, Piece, append, steepness
from strip cimport SPARE, Strip, keep_within, raise_near, raise_row, raise_strip
from tiles cimport Quarter, Stretches, choose, copy_part, end_of_tile, together

cdef enum:
    HIDDEN = 0
    SEEN = 1
    DOUBTFUL = 2


cdef enum:
    OPEN = -1           # a least height that is left to the walk


cdef struct Seen:
    # The output, marks or least heights, and the rows of the raster that rows away stand for.
    unsigned char *marks
    double *least
    Py_ssize_t step_across
    Py_ssize_t step_away
    double first_row
    double step_row
    double eye_row
    bint turned
    Py_ssize_t margin           # rows and columns on every side that are not marked


cdef inline Py_ssize_t first_from(const Quarter *q, double offset) noexcept nogil:
    """The first column no farther west than so far east of the eye."""
    cdef Py_ssize_t col = <Py_ssize_t> ceil(q.across + offset) - 1
    while col - q.across < offset:
        col += 1
    return col


cdef inline bint leaves(const Quarter *q, double far) noexcept nogil:
    """Return whether all the directions that are looked in have left the raster so far away."""
    return (q.west * far >= q.count_across - 1 - q.across) or (q.east * far <= -q.across)


cdef inline bint owned(const Quarter *q, const Seen *seen, Py_ssize_t row, Py_ssize_t *first,
                       Py_ssize_t *final) noexcept nogil:
    """From which centre to which a row is this half's to mark; False where none is.

    Of two quarters that share a centre on the diagonal the upright one has it, of two with the
    eye's own row or column the one that does not look back, and of two parts of a quarter the one
    farther east, or south where rows and columns are turned.
    """
    cdef double place = seen.first_row + row * seen.step_row
    cdef double gap = fabs(place - seen.eye_row)
    cdef Py_ssize_t margin = seen.margin
    cdef Py_ssize_t last = q.count_across - 1 - margin
    if row < margin or row > q.count_away - 1 - margin:
        return False
    if (place >= seen.eye_row) != (seen.step_row > 0):
        return False
    first[0] = <Py_ssize_t> max(ceil(q.across - gap) - 1, <double> margin)
    final[0] = <Py_ssize_t> min(floor(q.across + gap) + 1, <double> last)
    while first[0] <= last and (q.across - first[0] > gap
                                or (seen.turned and q.across - first[0] == gap)):
        first[0] += 1
    while final[0] >= first[0] and (final[0] - q.across > gap
                                    or (seen.turned and final[0] - q.across == gap)):
        final[0] -= 1
    if q.west > -1:
        first[0] = max(first[0], first_from(q, q.west * gap))
    if q.east < 1:
        final[0] = min(final[0], first_from(q, q.east * gap) - 1)
    return first[0] <= final[0]


cdef void leave_open(const Quarter *q, const Seen *seen, Py_ssize_t row) noexcept nogil:
    """Leave a row's centres to the walk."""
    cdef Py_ssize_t i, first, final
    if seen.least == NULL and owned(q, seen, row, &first, &final):
        for i in range(first, final + 1):
            seen.marks[row * seen.step_away + i * seen.step_across] = DOUBTFUL


cdef void look_at_row(const Quarter *q, const Strip *s, const Horizon *h, Py_ssize_t begin,
                      Py_ssize_t end, double lift, unsigned char *out,
                      Py_ssize_t step) noexcept nogil:
    """Hold a row's centres, lifted, against the horizon and the one edge that lies before each.

    begin, end : from this centre to that, both included
    """
    cdef double inverse = 1 / s.far
    cdef const Piece *old = h.pieces + h.first
    cdef const Piece *last = old + h.count - 1
    cdef Py_ssize_t i
    cdef double x, steep, above, share
    for i in range(begin, end + 1):
        x = (i - q.across) * inverse
        while old < last and old[1].start <= x:
            old += 1
        steep = (s.far_z[i] + lift) * inverse
        above = steep - steepness(old, x)
        if above >= -q.doubt and x * q.lean < 0:
            x = fabs(x)
            share = 1 / (1 + x)
            above = min(above, inverse * (steep * (s.far - share) - (
                s.near_z[i] + x * share * (s.far_z[i + q.lean] - s.near_z[i]))))
        if above > q.doubt:
            out[i * step] = SEEN
        elif above >= -q.doubt:
            out[i * step] = DOUBTFUL


cdef void least_of_row(const Quarter *q, const Strip *s, const Horizon *h, Py_ssize_t begin,
                       Py_ssize_t end, double lift, double *out, Py_ssize_t step) noexcept nogil:
    """Find how far above each of a row's centres a point must be to show over the horizon.

    A height that may be rounded from 0 or from `lift` is left to the walk.

    s : without a near row, the horizon is above all edges before the row
    """
    cdef double inverse = 1 / s.far
    cdef const Piece *old = h.pieces + h.first
    cdef const Piece *last = old + h.count - 1
    cdef double doubt = q.doubt * s.far
    cdef Py_ssize_t i
    cdef double x, least, share
    for i in range(begin, end + 1):
        x = (i - q.across) * inverse
        while old < last and old[1].start <= x:
            old += 1
        least = steepness(old, x) * s.far
        if x * q.lean < 0 and s.near_z != NULL:
            x = fabs(x)
            share = 1 / (1 + x)
            least = max(least, (s.near_z[i] + x * share * (s.far_z[i + q.lean] - s.near_z[i]))
                        * s.far / (s.far - share))
        least -= s.far_z[i]
        if fabs(least) <= doubt or fabs(least - lift) <= doubt:
            out[i * step] = OPEN
        else:
            out[i * step] = max(least, 0.0)


cdef void read_row(const Quarter *q, Py_ssize_t row, double first, double final,
                   double *z) noexcept nogil:
    """Heights above the eye of a row's centres from the first direction to the final one."""
    cdef double far = row - q.away
    cdef Py_ssize_t i
    cdef Py_ssize_t begin = <Py_ssize_t> max(floor(q.across + first * far) - 4, 0.0)
    cdef Py_ssize_t end = <Py_ssize_t> min(ceil(q.across + final * far) + 4,
                                           q.count_across - 1.0)
    cdef const double *heights = q.heights + row * q.step_away
    if q.step_across == 1:
        for i in range(begin, end + 1):
            z[i] = heights[i] - q.eye
    else:
        for i in range(begin, end + 1):
            z[i] = heights[i * q.step_across] - q.eye


cdef bint look_at_tiles(const Quarter *q, const Seen *seen, Py_ssize_t row, Py_ssize_t last_row,
                        double lift, const Stretches *looked, Horizon *h, Horizon *spare,
                        double *near_z, double *far_z) noexcept nogil:
    """Mark the centres of stretches of tiles from row to row and raise the part of the horizon
    that they are before; False for no room."""
    cdef Strip s
    cdef double *z
    cdef Py_ssize_t k, first, final
    cdef double begin_x = h.pieces[h.first].start
    cdef double end_x = h.stop
    read_row(q, row, begin_x, end_x, near_z)
    for row in range(row + 1, last_row + 1):
        s.far = row - q.away
        s.near = s.far - 1
        s.near_z, s.far_z = near_z, far_z
        read_row(q, row, begin_x, end_x, far_z)
        keep_within(q, h, s.near)
        if not owned(q, seen, row, &first, &final):
            pass
        elif seen.least != NULL:
            least_of_row(q, &s, h, first, final, lift, seen.least + row * seen.step_away,
                         seen.step_across)
        else:
            for k in range(looked.count):
                look_at_row(q, &s, h, max(first, <Py_ssize_t> looked.ends[2 * k]),
                            min(final, <Py_ssize_t> looked.ends[2 * k + 1]), lift,
                            seen.marks + row * seen.step_away, seen.step_across)
        if not raise_row(q, h, spare, looked, far_z, s.far):
            return False
        if not raise_strip(q, &s, spare, h):
            return False
        z = near_z
        near_z = far_z
        far_z = z
    return True


cdef bint look_at_band(const Quarter *q, const Seen *seen, Py_ssize_t row, Py_ssize_t last_row,
                       double lift, Stretches looked, const Horizon *h, Horizon *out,
                       Horizon *part, Horizon *spare, double *near_z,
                       double *far_z) noexcept nogil:
    """out = the horizon h raised by stretches of tiles from row to row; False for no room.

    Only the parts of the horizon that tiles are before are gone through row by row.
    """
    cdef double near = row - q.away
    cdef double far = last_row - q.away
    cdef double done = h.pieces[h.first].start
    cdef double begin, end
    cdef Stretches here
    cdef Py_ssize_t count, k
    cdef const Piece *old = h.pieces + h.first
    out.first, out.count, out.stop = SPARE, 0, h.stop
    while looked.count:
        count = together(q, &looked, near, far, &begin, &end)
        begin, end = max(begin, done), min(end, h.stop)
        if SPARE + out.count + h.count + 4 > out.room:
            return False
        old = copy_part(h, old, done, begin, out)
        part.first, part.count, part.stop = SPARE, 0, end
        done = end
        old = copy_part(h, old, begin, end, part)
        here.ends, here.count = looked.ends, count
        if not look_at_tiles(q, seen, row, last_row, lift, &here, part, spare, near_z, far_z):
            return False
        looked.ends += 2 * count
        looked.count -= count
        if SPARE + out.count + part.count + h.count + 4 > out.room:
            return False
        for k in range(part.first, part.first + part.count):
            append(out, part.pieces[k].start, part.pieces[k].a, part.pieces[k].b)
    copy_part(h, old, done, h.stop, out)
    return True


cdef void least_beyond(const Quarter *q, const Seen *seen, Py_ssize_t row, Py_ssize_t last_row,
                       double lift, Horizon *h, double *z) noexcept nogil:
    """Find the least heights over rows of ground that is wholly below the horizon."""
    cdef Strip s
    cdef Py_ssize_t first, final
    s.near_z, s.far_z = NULL, z
    for row in range(row + 1, last_row + 1):
        s.far = row - q.away
        keep_within(q, h, s.far - 1)
        if owned(q, seen, row, &first, &final):
            read_row(q, row, h.pieces[h.first].start, h.stop, z)
            least_of_row(q, &s, h, first, final, lift, seen.least + row * seen.step_away,
                         seen.step_across)


cdef Py_ssize_t look_nearby(const Quarter *q, const Seen *seen, Py_ssize_t rows, Horizon **h,
                            Horizon **spare, double *near_z, double *far_z) noexcept nogil:
    """Raise the horizon by the rows about the eye; the last of them, or -1 for no room."""
    cdef Strip s
    cdef double *z
    cdef Py_ssize_t first = <Py_ssize_t> floor(q.away)
    cdef Py_ssize_t row
    for row in range(first, rows):
        s.far = row - q.away
        s.near = s.far - 1
        if s.near >= 1:
            return row - 1
        s.near_z, s.far_z = near_z, far_z
        read_row(q, row, -1, 1, far_z)
        leave_open(q, seen, row)
        if row > first and s.far >= q.nearest and not raise_near(q, &s, h, spare):
            return -1
        z = near_z
        near_z = far_z
        far_z = z
    return rows - 1


cdef Py_ssize_t look(const Quarter *q, const Seen *seen, double lift, double floor_of_all,
                     Horizon *h, Horizon *spare, Horizon *part, Horizon *spare_part,
                     double *near_z, double *far_z, Stretches *looked) noexcept nogil:
    """Mark the centres of rows; the last before there was no room, or nothing to look at soon."""
    cdef Horizon *held
    cdef Py_ssize_t row, last_row
    h.first, h.count, h.stop = 0, 1, q.east
    h.pieces[0].start, h.pieces[0].a, h.pieces[0].b = q.west, floor_of_all, 0
    row = look_nearby(q, seen, q.count_away, &h, &spare, near_z, far_z)
    if row < 0:
        return <Py_ssize_t> floor(q.away)
    while row < q.count_away - 1:
        last_row = end_of_tile(q, row)
        if leaves(q, last_row - q.away):
            return row
        keep_within(q, h, row - q.away)
        choose(q, h, row, last_row, lift if seen.least == NULL else 0, looked)
        if looked.count and seen.least != NULL:
            if not look_at_tiles(q, seen, row, last_row, lift, looked, h, spare, near_z, far_z):
                return row
        elif seen.least != NULL:
            least_beyond(q, seen, row, last_row, lift, h, far_z)
        elif looked.count:
            if not look_at_band(q, seen, row, last_row, lift, looked[0], h, spare, part,
                                spare_part, near_z, far_z):
                return row
            held = h
            h = spare
            spare = held
        row = last_row
    return row


def part(const double[:, ::1] heights, Py_ssize_t margin, const double[:, ::1] tops,
         Py_ssize_t tile, double across, double away, double eye, bint back, bint turned,
         double west, double east, double lift, const double[::1] bounds, double[::1] numbers,
         Py_ssize_t room, unsigned char[:, ::1] marks, double[:, ::1] least):
    """Mark what the eye sees in part of a quarter: 0 (as it was) hidden, 1 seen, 2 for the walk.

    Or, instead of marks, find the least heights above the ground that are seen: -1 (as it was) for
    the walk.

    heights, margin : rows and columns, so many more on every side than are marked
    back, turned : rows away are rows southward; with `back` northward, with `turned` columns
        eastward, with both westward
    tops : the highest of the centres of each tile by tile cells, from the first row and column on;
        with `turned`, rows and columns exchanged
    across, away : the eye's column and row, exchanged with `turned`; some column that is marked
        lies on the part's side
    west, east : the part's directions, from -1 to 1 columns across for each row away; it does not
        lie on both sides of the eye's column
    lift : how far above the ground the points looked at are, at least 0
    bounds : nearest, steepest, doubt, and a steepness below that of every centre
    numbers : 12 * room + 3 * columns across doubles
    marks, least : one of them is None
    """
    cdef Quarter q
    cdef Seen seen
    cdef Horizon horizons[4]
    cdef Stretches looked
    cdef Py_ssize_t k, done
    cdef Py_ssize_t rows = heights.shape[1] if turned else heights.shape[0]
    cdef Py_ssize_t cols = heights.shape[0] if turned else heights.shape[1]
    cdef Py_ssize_t width = marks.shape[1] if least is None else least.shape[1]
    q.heights = &heights[0, 0]
    q.step_across = heights.shape[1] if turned else 1
    q.step_away = 1 if turned else heights.shape[1]
    q.tops, q.step_tops, q.tile = &tops[0, 0], tops.shape[1], tile
    q.count_across, q.count_away, q.before = cols, rows, 0
    q.west, q.east = west, east
    q.across, q.away, q.eye, q.lean = across, away, eye, -1
    q.nearest, q.steepest, q.doubt = bounds[0], bounds[1], bounds[2]
    seen.step_across = width if turned else 1
    seen.step_away = 1 if turned else width
    seen.marks, seen.least, seen.margin = NULL, NULL, margin
    if least is None:
        seen.marks = &marks[0, 0] - margin * (seen.step_across + seen.step_away)
    else:
        seen.least = &least[0, 0] - margin * (seen.step_across + seen.step_away)
    seen.first_row, seen.step_row, seen.eye_row, seen.turned = 0, 1, away, turned
    if back:
        q.away, q.lean = rows - 1 - away, 1
        q.heights += (rows - 1) * q.step_away
        q.step_away = -q.step_away
        q.tops, q.step_tops = &tops[tops.shape[0] - 1, 0], -tops.shape[1]
        q.before = tops.shape[0] * tile - (rows - 1)
        if least is None:
            seen.marks += (rows - 1) * seen.step_away
        else:
            seen.least += (rows - 1) * seen.step_away
        seen.step_away = -seen.step_away
        seen.first_row, seen.step_row = rows - 1, -1
    for k in range(4):
        horizons[k].pieces = (<Piece *> &numbers[0]) + k * room
        horizons[k].room = room
    looked.ends = &numbers[12 * room + 2 * cols]
    looked.count = 0
    with nogil:
        done = look(&q, &seen, lift, bounds[3], &horizons[0], &horizons[1], &horizons[2],
                    &horizons[3], &numbers[12 * room], &numbers[12 * room + cols], &looked)
        for k in range(done + 1, rows):
            leave_open(&q, &seen, k)
