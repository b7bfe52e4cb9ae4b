"""Figures packed into the memory that is handed over to be drawn, and the lines they stand in.

Callers go through ``emlia3d.view.panda.troops.packing``, which checks what is assumed here:
columns of one length, models with a height and a width, room for as many runs or lines as figures.
"""

from libc.stdint cimport int32_t, uint8_t

cdef extern from "packing.h" nogil:
    cdef struct Columns:
        const float *x
        const float *y
        const float *facing
        const float *was_x
        const float *was_y
        const float *was_facing
        const float *size
        const float *lift
        const uint8_t *pose
        const uint8_t *was_pose
        const uint8_t *team
        const uint8_t *model
        const uint8_t *shade

    cdef struct Runs:
        int32_t *starts
        int32_t *rows
        float *circles

    Py_ssize_t pack_figures(const Columns *columns, Py_ssize_t n, const float *heights,
                            int32_t *rows, const Runs *runs)

    cdef struct Lines:
        int32_t *ends
        int32_t *runs
        int32_t *lying
        int32_t *lying_runs
        Py_ssize_t count
        Py_ssize_t lying_count

    void line_up(const Columns *columns, const int32_t *starts, Py_ssize_t runs, Py_ssize_t n,
                 const float *widths, Lines *lines)


def pack(const float[::1] heights, int32_t[:, ::1] rows, int32_t[::1] starts,
         int32_t[:, ::1] runs, float[:, ::1] circles, const float[::1] x, const float[::1] y,
         const float[::1] facing, const float[::1] was_x, const float[::1] was_y,
         const float[::1] was_facing, const float[::1] size, const float[::1] lift,
         const uint8_t[::1] pose, const uint8_t[::1] was_pose, const uint8_t[::1] team,
         const uint8_t[::1] model, const uint8_t[::1] shade):
    """Fill rows (n, 4), starts, runs (n, 8) and circles (n, 4); how many runs there are.

    heights : of the models
    """
    cdef Columns columns
    cdef Runs to
    cdef Py_ssize_t count = 0
    if x.shape[0] == 0:
        return 0
    with nogil:
        columns.x, columns.y, columns.facing = &x[0], &y[0], &facing[0]
        columns.was_x, columns.was_y, columns.was_facing = &was_x[0], &was_y[0], &was_facing[0]
        columns.size, columns.lift = &size[0], &lift[0]
        columns.pose, columns.was_pose, columns.team = &pose[0], &was_pose[0], &team[0]
        columns.model, columns.shade = &model[0], &shade[0]
        to.starts, to.rows, to.circles = &starts[0], &runs[0, 0], &circles[0, 0]
        count = pack_figures(&columns, x.shape[0], &heights[0], &rows[0, 0], &to)
    return count


def lines(const float[::1] widths, const int32_t[::1] starts, int32_t[:, ::1] ends,
          int32_t[::1] runs, int32_t[::1] lying, int32_t[::1] lying_runs, const float[::1] x,
          const float[::1] y, const float[::1] facing, const float[::1] size,
          const uint8_t[::1] pose, const uint8_t[::1] model, const uint8_t[::1] shade):
    """Fill ends (n, 2) and runs of lines, and who is in none; how many there are of each.

    widths : of the models; starts : of the runs
    """
    cdef Columns columns
    cdef Lines to
    if x.shape[0] == 0:
        return 0, 0
    with nogil:
        columns.x, columns.y, columns.facing = &x[0], &y[0], &facing[0]
        columns.size, columns.pose, columns.model = &size[0], &pose[0], &model[0]
        columns.shade = &shade[0]
        to.ends, to.runs = &ends[0, 0], &runs[0]
        to.lying, to.lying_runs = &lying[0], &lying_runs[0]
        line_up(&columns, &starts[0], starts.shape[0], x.shape[0], &widths[0], &to)
    return to.count, to.lying_count
