"""Figures packed into the memory that is handed over to be drawn, and the bounds of their runs.

Callers go through ``emlia3d.view.panda.troops.packing``, which checks what is assumed here:
columns of one length, models with a height, runs of one figure or more.
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

    void pack_figures(const Columns *columns, Py_ssize_t n, const float *heights, float *rows,
                      float *tall)
    void bound_runs(const Columns *columns, const float *tall, const int32_t *starts,
                    Py_ssize_t runs, float *bounds)


def pack(const float[::1] heights, float[:, ::1] rows, float[::1] tall, const float[::1] x,
         const float[::1] y, const float[::1] facing, const float[::1] was_x,
         const float[::1] was_y, const float[::1] was_facing, const float[::1] size,
         const float[::1] lift, const uint8_t[::1] pose, const uint8_t[::1] was_pose,
         const uint8_t[::1] team, const uint8_t[::1] model, const uint8_t[::1] shade):
    """Fill rows (n, 8) and how tall each figure is; heights : of the models."""
    cdef Columns columns
    if x.shape[0] == 0:
        return
    with nogil:
        columns.x, columns.y, columns.facing = &x[0], &y[0], &facing[0]
        columns.was_x, columns.was_y, columns.was_facing = &was_x[0], &was_y[0], &was_facing[0]
        columns.size, columns.lift = &size[0], &lift[0]
        columns.pose, columns.was_pose, columns.team = &pose[0], &was_pose[0], &team[0]
        columns.model, columns.shade = &model[0], &shade[0]
        pack_figures(&columns, x.shape[0], &heights[0], &rows[0, 0], &tall[0])


def bound(const int32_t[::1] starts, float[:, ::1] bounds, const float[::1] x,
          const float[::1] y, const float[::1] was_x, const float[::1] was_y,
          const float[::1] lift, const float[::1] tall):
    """Fill bounds (7, runs): x, y, each least and greatest; greatest lift; height, both.

    starts : (runs + 1,) the last where the last run ends
    """
    cdef Columns columns
    if bounds.shape[1] == 0:
        return
    with nogil:
        columns.x, columns.y, columns.was_x, columns.was_y = &x[0], &y[0], &was_x[0], &was_y[0]
        columns.lift = &lift[0]
        bound_runs(&columns, &tall[0], &starts[0], bounds.shape[1], &bounds[0, 0])
