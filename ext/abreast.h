/* Lines of sight walked abreast over the slabs of the ground: what line.pxd does with one, as far as
   slabs alone decide. Plain C so that compilers make vectors of it; what is done to a line does not
   depend on those beside it. */

#ifndef EMLIA3D_ABREAST_H
#define EMLIA3D_ABREAST_H

#include "widths.h"

enum { ABREAST = 16, MOST_LEVELS = 32 };

/* What is known of a line: at OPEN its bends must be looked at. */
enum { HIDDEN = 0, SEEN = 1, OPEN = 2, WALKING = 3 };

/* The slabs as numbers of one kind: four floats a slab, and where each level's begin. */
struct Slabs {
    const float *planes;
    double first[MOST_LEVELS];
    double cols[MOST_LEVELS];
    double coarsest, start, finest; /* levels; and the cells in a block of level 0 */
    double last_u, last_v;          /* of the ground: its last column and row */
    double place_doubt, height_doubt, beyond; /* as line.pxd has them */
};

struct Abreast {
    double u[ABREAST], v[ABREAST], z[ABREAST], run_u[ABREAST], run_v[ABREAST], rise[ABREAST];
    double lowest[ABREAST]; /* of the ends */
    double slack[ABREAST], doubt[ABREAST]; /* what rounding may have done to a place, to a height */
    double part[ABREAST], end[ABREAST];    /* what is to be walked of it */
    double state[ABREAST];
    /* Of the piece that comes next: the level of slabs, the cells of a block, and its length. */
    double level[ABREAST], block[ABREAST], inverse[ABREAST], step[ABREAST];
};

/* Make lines ready, from places as rows of x, y and z.

   frame : cell, west, north, least height, greatest height

   Not to be walked here are lines of which a part lies beyond the raster, or is so far out that
   rounding loses a cell: they are OPEN, with a part below 0. */
FOR_EACH_WIDTH static void
lay_abreast(const struct Slabs *ALONE slabs, const double *ALONE from, const double *ALONE to,
            const double *ALONE frame, struct Abreast *ALONE lines)
{
    const double last_u = slabs->last_u, last_v = slabs->last_v, beyond = slabs->beyond;
    const double place_doubt = slabs->place_doubt, height_doubt = slabs->height_doubt;
    const double start = slabs->start, block = slabs->finest * (double)(1 << (int)start);
    const double cell = frame[0], west = frame[1], north = frame[2];
    const double low = frame[3], high = frame[4];
    const double deep = low < 0 ? -low : low, tall = high < 0 ? -high : high;
    const double tallest = deep > tall ? deep : tall;
    for (int i = 0; i < ABREAST; i++) {
        const double u = (from[3 * i] - west) / cell, to_u = (to[3 * i] - west) / cell;
        const double v = (north - from[3 * i + 1]) / cell, to_v = (north - to[3 * i + 1]) / cell;
        const double z = from[3 * i + 2], to_z = to[3 * i + 2];
        const double west_most = u < to_u ? u : to_u, east_most = u < to_u ? to_u : u;
        const double north_most = v < to_v ? v : to_v, south_most = v < to_v ? to_v : v;
        const double lowest = z < to_z ? z : to_z, highest = z < to_z ? to_z : z;
        const double wide = east_most > -west_most ? east_most : -west_most;
        const double far = south_most > -north_most ? south_most : -north_most;
        const double out = wide > far ? wide : far;
        const double slack = place_doubt * (out > 1 ? out : 1);
        const double over = highest > -lowest ? highest : -lowest;
        const double doubt = height_doubt * (over > tallest ? over : tallest)
                             + slack * 2 * (high - low);
        /* Only where the line is not above all ground. */
        const double above = high + doubt, rise = to_z - z;
        const double enters = (above - z) / rise;
        const double entry = enters > 0 ? enters : 0, exit = enters < 1 ? enters : 1;
        const double run_u = east_most - west_most, run_v = south_most - north_most;
        const double span = (run_u > run_v ? run_u : run_v) * (1 + beyond);
        const double first = west_most < north_most ? west_most : north_most;
        const double spare_u = last_u - east_most, spare_v = last_v - south_most;
        const double spare = spare_u < spare_v ? spare_u : spare_v;
        const double inside = (first < spare ? first : spare) >= 0 ? 1 : 0;
        const double plain = slack < beyond ? inside : 0;
        lines->u[i] = u;
        lines->v[i] = v;
        lines->z[i] = z;
        lines->run_u[i] = to_u - u;
        lines->run_v[i] = to_v - v;
        lines->rise[i] = rise;
        lines->lowest[i] = lowest;
        lines->slack[i] = slack;
        lines->doubt[i] = doubt;
        lines->level[i] = start;
        lines->block[i] = block;
        lines->inverse[i] = 1 / block;
        lines->step[i] = span > 0 ? 2 * block / span : 2;
        lines->part[i] = plain == 0 ? -1 : z > above ? entry : 0;
        lines->end[i] = to_z > above ? exit : 1;
        lines->state[i] = lowest >= high ? SEEN : plain == 0 ? OPEN : WALKING;
    }
}

/* Hold a piece of each line against its slab, and go on to the next. Whoever is not WALKING is left
   as he is. */
FOR_EACH_WIDTH static void
step_abreast(const struct Slabs *ALONE slabs, struct Abreast *ALONE lines)
{
    const float *ALONE planes = slabs->planes;
    const double *ALONE firsts = slabs->first, *ALONE counts = slabs->cols;
    const double coarsest = slabs->coarsest;
    for (int i = 0; i < ABREAST; i++) {
        const double begin = lines->part[i], end = lines->end[i], slack = lines->slack[i];
        const double run_u = lines->run_u[i], run_v = lines->run_v[i];
        const double rise = lines->rise[i], lowest = lines->lowest[i];
        const double now = lines->state[i], rung = lines->level[i];
        const double block = lines->block[i], inverse = lines->inverse[i];
        const double step = lines->step[i];
        const double reach = begin + step, stop = reach < end ? reach : end;
        const double u = lines->u[i] + begin * run_u, v = lines->v[i] + begin * run_v;
        const double to_u = lines->u[i] + stop * run_u, to_v = lines->v[i] + stop * run_v;
        const double west = u < to_u ? u : to_u, north = v < to_v ? v : to_v;
        const double col = (double)(int)((west - slack) * inverse);
        const double row = (double)(int)((north - slack) * inverse);
        const double first = firsts[(int)rung], cols = counts[(int)rung];
        const int slab = 4 * (int)(first + row * cols + col);
        const double middle = planes[slab], east = planes[slab + 1];
        const double south = planes[slab + 2], half = planes[slab + 3];
        const double above = lines->z[i] - middle + east * (col * block)
                             + south * (row * block);
        const double here = above + begin * rise - east * u - south * v;
        const double there = above + stop * rise - east * to_u - south * to_v;
        const double least = here < there ? here : there;
        const double doubt = half + lines->doubt[i];
        /* A slab that is level is compared as it is, so that a line may lie on flat ground. */
        const double lean = east * east + south * south;
        const double flat = lean == 0 ? lowest - (middle + half) : -1;
        const double above_all = least > doubt ? 1 : 0;
        const double clear = flat >= 0 ? 1 : above_all;
        const double blocked = least < -doubt ? 1 : 0;
        const double on = now == WALKING ? 1 : 0;
        const double over = stop >= end ? 1 : 0;
        const double low = rung > 0 ? 0 : 1;
        const double up = rung < coarsest ? on * clear : 0;
        const double down = on * (1 - clear) * (1 - low);
        /* HIDDEN, SEEN or OPEN, or WALKING still. */
        const double settled = blocked + (1 - blocked) * (clear * over + (1 - clear) * low);
        const double verdict = (1 - blocked) * (clear * SEEN + (1 - clear) * OPEN);
        const double change = on * settled, onward = on * clear * (1 - over);
        lines->state[i] = change > 0 ? verdict : now;
        lines->part[i] = onward > 0 ? stop : begin;
        lines->level[i] = rung + up - down;
        lines->block[i] = block * (1 + up - 0.5 * down);
        lines->step[i] = step * (1 + up - 0.5 * down);
        lines->inverse[i] = inverse * (1 - 0.5 * up + down);
    }
}

/* Take line `from` of those that are laid into lane i. */
static inline void
take_abreast(struct Abreast *ALONE lines, int i, const struct Abreast *ALONE laid, int from)
{
    lines->u[i] = laid->u[from];
    lines->v[i] = laid->v[from];
    lines->z[i] = laid->z[from];
    lines->run_u[i] = laid->run_u[from];
    lines->run_v[i] = laid->run_v[from];
    lines->rise[i] = laid->rise[from];
    lines->lowest[i] = laid->lowest[from];
    lines->slack[i] = laid->slack[from];
    lines->doubt[i] = laid->doubt[from];
    lines->part[i] = laid->part[from];
    lines->end[i] = laid->end[from];
    lines->state[i] = laid->state[from];
    lines->level[i] = laid->level[from];
    lines->block[i] = laid->block[from];
    lines->inverse[i] = laid->inverse[from];
    lines->step[i] = laid->step[from];
}

/* Leave lane i without a line. */
static inline void
park_abreast(struct Abreast *ALONE lines, int i)
{
    lines->u[i] = lines->v[i] = lines->z[i] = 0;
    lines->run_u[i] = lines->run_v[i] = lines->rise[i] = 0;
    lines->lowest[i] = lines->slack[i] = lines->doubt[i] = 0;
    lines->part[i] = lines->end[i] = lines->step[i] = 0;
    lines->level[i] = 0;
    lines->block[i] = lines->inverse[i] = 1;
    lines->state[i] = SEEN;
}

#endif
