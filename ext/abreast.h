/* Lines of sight walked in SIMD lanes over the slabs of the ground: as line.pxd does with one, as far as
   slabs alone decide. Plain C so that compilers make vectors of it; what is done to a line does not
   depend on those beside it. Slabs are asked in single precision, with what that may be off taken
   off what they say. */

#ifndef EMLIA3D_ABREAST_H
#define EMLIA3D_ABREAST_H

#include <string.h>

#include "widths.h"

enum { ABREAST = 32, MOST_LEVELS = 32 };

/* What is known of a line: at OPEN its bends must be looked at, at DOUBTFUL without rounding; before
   the first of them it is held against the ground at places far apart (SOUNDED), as most lines that
   come near the ground are blocked farther on. */
enum { HIDDEN = 0, SEEN = 1, OPEN = 2, WALKING = 3, DOUBTFUL = 4, SOUNDED = 5 };

/* The level of slabs of those places, and how many pieces of the finest level they are apart. */
enum { SOUNDED_AT = 1, SOUNDED_EVERY = 8 };

/* A line passes slabs twice as wide next if it is that many half-thicknesses above the present ones;
   and half, a quarter, an eighth or a sixteenth as wide where it begins so little of that above them.
   Measured, over all grounds of the benchmarks. */
static const float TO_SPARE = 3, LACKING_2 = 0.6f, LACKING_3 = 0.2f, LACKING_4 = 0.05f;

/* Above what single precision does to a place (some ten roundings), to a height and to the part of a
   line, as a share of the largest number that went into it; and what a piece is shorter by than two
   blocks, so that its slab holds it wherever it begins. */
static const double PLACE_BLUR = 0x1p-20;
static const double HEIGHT_BLUR = 0x1p-20;
static const double PART_BLUR = 0x1p-20;
static const double SHORTER = 0x1p-6;

/* The slabs, four floats each, and where each level's begin; and what else there is of the ground. */
struct Slabs {
    const float *planes;
    int first[MOST_LEVELS];
    int cols[MOST_LEVELS];
    int start;                   /* the level of a line's first piece, where that is not the whole */
    int coarsest, finest;        /* the last level; and the cells in a block of level 0 */
    double last_u, last_v;       /* its last column and row */
    double place_doubt, height_doubt; /* as line.pxd has them */
};

struct Abreast {
    /* In single precision, for the slabs. */
    float u[ABREAST], v[ABREAST], z[ABREAST], run_u[ABREAST], run_v[ABREAST], rise[ABREAST];
    float lowest[ABREAST];             /* no higher than the ends */
    float blur[ABREAST], blur_z[ABREAST]; /* what rounding may do to a place, to a height */
    float part[ABREAST], end[ABREAST]; /* the part to walk */
    int state[ABREAST];
    /* Of the piece that comes next: the level of slabs, the cells of a block, and its length; and
       where its slab is. */
    int level[ABREAST];
    float block[ABREAST], inverse[ABREAST], step[ABREAST];
    int row[ABREAST], col[ABREAST], slab[ABREAST];
    /* The next sounding of the line, as a share of the part to walk, and the distance from there to
       the middle between two; before it is sounded 1, and then 0. */
    float share[ABREAST], apart[ABREAST];
    /* In double precision, for the bends. */
    double from_u[ABREAST], from_v[ABREAST], from_z[ABREAST];
    double east[ABREAST], south[ABREAST], climb[ABREAST];
    double slack[ABREAST], doubt[ABREAST]; /* what rounding may have done to a place, to a height */
};

/* The whole number above the logarithm of base 2 of a number, 0 for all below 1. */
static inline int
levels_of(float number)
{
    int bits;
    memcpy(&bits, &number, sizeof bits);
    const int level = (bits >> 23) - 126;
    return level > 0 ? level : 0;
}

/* Make lines ready, from places as rows of x, y and z.

   frame : cell, west, north, least height, greatest height

   Not to be walked here are lines of which a part lies beyond the raster, or is so far out that
   single precision is lost, all on ground without an area, and what is no line as some number is not
   finite: they are OPEN, with a part below 0. */
FOR_EACH_WIDTH static void
lay_abreast(const struct Slabs *ALONE slabs, const double *ALONE from, const double *ALONE to,
            const double *ALONE frame, struct Abreast *ALONE lines)
{
    const double last_u = slabs->last_u, last_v = slabs->last_v;
    const double place_doubt = slabs->place_doubt, height_doubt = slabs->height_doubt;
    const int start = slabs->start, finest = slabs->finest;
    const float two_blocks = 2 * (float)finest;
    const double cell = frame[0], west = frame[1], north = frame[2];
    const double low = frame[3], high = frame[4];
    const double deep = low < 0 ? -low : low, tall = high < 0 ? -high : high;
    const double tallest = deep > tall ? deep : tall;
    const double area = (last_u < last_v ? last_u : last_v) >= 1 ? 1 : 0;
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
        const double reach = out > 1 ? out : 1;
        const double slack = place_doubt * reach;
        const double over = highest > -lowest ? highest : -lowest;
        const double doubt = height_doubt * (over > tallest ? over : tallest)
                             + slack * 2 * (high - low);
        /* Only where the line is not above all ground. */
        const double above = high + doubt, rise = to_z - z;
        const double enters = (above - z) / rise;
        const double early = enters - PART_BLUR, late = enters + PART_BLUR;
        const double entry = early > 0 ? early : 0, exit = late < 1 ? late : 1;
        const double run_u = east_most - west_most, run_v = south_most - north_most;
        const double span = (run_u > run_v ? run_u : run_v) * (1 + SHORTER);
        /* No coarser than for a piece that is the whole line. */
        const int whole = levels_of((float)span / two_blocks), level = whole < start ? whole : start;
        const double block = (double)(finest << level);
        const double first = west_most < north_most ? west_most : north_most;
        const double spare_u = last_u - east_most, spare_v = last_v - south_most;
        const double spare = spare_u < spare_v ? spare_u : spare_v;
        const double inside = (first < spare ? first : spare) >= 0 ? 1 : 0;
        const double clear = PLACE_BLUR * reach < SHORTER ? 1 : 0;
        const double all = u + v + z + to_u + to_v + to_z, finite = all - all == 0 ? 1 : 0;
        const double plain = inside * clear * area * finite;
        const float base = (float)lowest;
        const double off = (double)base > lowest ? (over + 1) * HEIGHT_BLUR : 0;
        const double known = plain == 0 ? (double)OPEN : (double)WALKING;
        const double above_all = lowest >= high ? finite : 0;
        const double state = above_all > 0 ? (double)SEEN : known;
        /* A lane that does not walk is not led beyond the slabs either. */
        const double walks = state == (double)WALKING ? 1 : 0;
        const double across = walks > 0 ? to_u - u : 0, along = walks > 0 ? to_v - v : 0;
        lines->u[i] = (float)(walks > 0 ? u : 0);
        lines->v[i] = (float)(walks > 0 ? v : 0);
        lines->z[i] = (float)z;
        lines->run_u[i] = (float)across;
        lines->run_v[i] = (float)along;
        lines->rise[i] = (float)rise;
        lines->lowest[i] = base - (float)off;
        lines->blur[i] = (float)(walks > 0 ? PLACE_BLUR * reach : 0);
        lines->blur_z[i] = (float)(HEIGHT_BLUR * over + doubt);
        lines->level[i] = level;
        lines->block[i] = (float)block;
        lines->inverse[i] = (float)(1 / block);
        lines->step[i] = (float)(span > 2 * block * PART_BLUR ? 2 * block / span : 2);
        const double part = z > above ? entry : 0, end = to_z > above ? exit : 1;
        const double idle = plain - 1;
        lines->part[i] = (float)(walks > 0 ? part : idle);
        lines->end[i] = (float)(walks > 0 ? end : 1);
        lines->state[i] = (int)state;
        lines->share[i] = 0.5f;
        lines->apart[i] = 1;
        lines->from_u[i] = u;
        lines->from_v[i] = v;
        lines->from_z[i] = z;
        lines->east[i] = to_u - u;
        lines->south[i] = to_v - v;
        lines->climb[i] = rise;
        lines->slack[i] = slack;
        lines->doubt[i] = doubt;
    }
}

/* Find the slab of the next piece of each line, and send for it. */
FOR_EACH_WIDTH static void
aim_abreast(const struct Slabs *ALONE slabs, struct Abreast *ALONE lines)
{
    for (int i = 0; i < ABREAST; i++) {
        const float part = lines->part[i], end = lines->end[i], blur = lines->blur[i];
        const float reach = part + lines->step[i], near = reach < end ? reach : end;
        const float place = part + lines->share[i] * (end - part);
        const float begin = lines->state[i] == SOUNDED ? place : part;
        const float stop = lines->state[i] == SOUNDED ? place : near;
        const float u = lines->u[i] + begin * lines->run_u[i];
        const float v = lines->v[i] + begin * lines->run_v[i];
        const float to_u = lines->u[i] + stop * lines->run_u[i];
        const float to_v = lines->v[i] + stop * lines->run_v[i];
        lines->col[i] = (int)(((u < to_u ? u : to_u) - blur) * lines->inverse[i]);
        lines->row[i] = (int)(((v < to_v ? v : to_v) - blur) * lines->inverse[i]);
    }
    for (int i = 0; i < ABREAST; i++) {
        const int level = lines->level[i];
        lines->slab[i] = slabs->first[level] + lines->row[i] * slabs->cols[level] + lines->col[i];
    }
    for (int i = 0; i < ABREAST; i++)
        fetch(&slabs->planes[4 * (ptrdiff_t)lines->slab[i]]);
}

/* Hold the piece of each line that was aimed at against its slab, and go on to the next. A lane that is
   not WALKING is left as he is. */
FOR_EACH_WIDTH static void
hold_abreast(const struct Slabs *ALONE slabs, struct Abreast *ALONE lines)
{
    const float *ALONE planes = slabs->planes;
    const int coarsest = slabs->coarsest, finest = slabs->finest;
    const float blur_of_middle = (float)HEIGHT_BLUR, wider = 1 + (float)HEIGHT_BLUR;
    const int depth = coarsest < SOUNDED_AT ? coarsest : SOUNDED_AT;
    float slab[4 * ABREAST];
    for (int i = 0; i < ABREAST; i++)
        memcpy(&slab[4 * i], &planes[4 * (ptrdiff_t)lines->slab[i]], 4 * sizeof(float));
    for (int i = 0; i < ABREAST; i++) {
        const float part = lines->part[i], end = lines->end[i], blur = lines->blur[i];
        const float block = lines->block[i], inverse = lines->inverse[i], step = lines->step[i];
        const float reach = part + step, near = reach < end ? reach : end;
        const float share = lines->share[i], apart = lines->apart[i];
        const float place = part + share * (end - part);
        const int now = lines->state[i], rung = lines->level[i];
        const float begin = now == SOUNDED ? place : part, stop = now == SOUNDED ? place : near;
        const float west = (float)lines->col[i] * block, north = (float)lines->row[i] * block;
        const float u = lines->u[i] + begin * lines->run_u[i] - west;
        const float v = lines->v[i] + begin * lines->run_v[i] - north;
        const float to_u = lines->u[i] + stop * lines->run_u[i] - west;
        const float to_v = lines->v[i] + stop * lines->run_v[i] - north;
        const float middle = slab[4 * i], east = slab[4 * i + 1];
        const float south = slab[4 * i + 2], half = slab[4 * i + 3];
        const float here = lines->z[i] + begin * lines->rise[i] - (middle + east * u + south * v);
        const float there = lines->z[i] + stop * lines->rise[i]
                            - (middle + east * to_u + south * to_v);
        const float least = here < there ? here : there;
        const float lean = (east < 0 ? -east : east) + (south < 0 ? -south : south);
        const float hold = half * wider + lines->blur_z[i] + blur * lean
                           + blur_of_middle * (middle < 0 ? -middle : middle);
        /* Ground all of one height is compared as it is, so that a line may lie on it. */
        const int level_ground = (half == 0) & (lines->lowest[i] >= middle);
        const int clear = (least > hold) | level_ground, blocked = (least < -hold) & (clear ^ 1);
        const int on = now == WALKING, over = stop >= end, low = rung == 0;
        const int up = on & clear, down = on & (clear ^ 1) & (low ^ 1) & (blocked ^ 1);
        /* Longer pieces if the clearance is large enough that their thicker slabs may well
           be passed too; shorter ones by as much as is lacking, or about that. */
        const int climbs = up & (there > TO_SPARE * hold);
        const int steps_down = 1 + (here < LACKING_2 * hold) + (here < LACKING_3 * hold)
                               + (here < LACKING_4 * hold);
        const int wished = rung + climbs - down * steps_down;
        const int capped = wished < coarsest ? wished : coarsest, onto = capped > 0 ? capped : 0;
        const float change = on ? (float)(finest << onto) * inverse : 1.0f;
        /* The next place: as far on again, or once round with half of that. */
        const float onward = share + 2 * apart;
        const int round = onward > 1;
        const float closer = round ? 0.5f * apart : apart, next = round ? closer : onward;
        const int sounding = now == SOUNDED;
        const int deep_enough = closer * (end - part) < SOUNDED_EVERY * step;
        const int ends = sounding & deep_enough, begins = on & low & (clear ^ 1) & (apart == 1);
        const int next_level = begins ? depth : ends ? 0 : onto;
        const float size = (float)(finest << next_level);
        const int unsettled = begins ? SOUNDED : OPEN;
        const int met = clear ? SEEN : unsettled;
        const int verdict = blocked ? HIDDEN : met;
        const int settled = on & (blocked | (clear & over) | ((clear ^ 1) & low));
        const int walked = settled ? verdict : now;
        const int heard = ends ? OPEN : SOUNDED;
        lines->state[i] = sounding ? (blocked ? HIDDEN : heard) : walked;
        lines->part[i] = on & clear & (over ^ 1) ? stop : part;
        lines->level[i] = next_level;
        lines->block[i] = size;
        lines->inverse[i] = 1 / size;
        lines->step[i] = step * change;
        lines->share[i] = sounding ? next : share;
        lines->apart[i] = begins ? 0.5f : ends ? 0.0f : sounding ? closer : apart;
    }
}

/* The level of the first pieces from now on: longer ones if most of the lanes that walked were clear
   of the ground at their first and are not done, shorter ones where most were not clear. */
FOR_EACH_WIDTH static int
start_after(const struct Slabs *ALONE slabs, const struct Abreast *ALONE laid, int walked)
{
    const int start = slabs->start;
    int clear = 0, near = 0;
    for (int i = 0; i < ABREAST; i++) {
        const int on = laid->state[i] == WALKING, level = laid->level[i];
        clear += on & (level > start);
        near += on & (level < start);
    }
    const int longer = (2 * clear > walked) & (start < slabs->coarsest);
    const int shorter = (2 * near > walked) & (start > 0);
    return start + longer - shorter;
}

/* The lanes of lines in some states, a bit for each, in order; how many. No branch that could be
   guessed wrong. */
static inline int
list_lanes(const struct Abreast *lines, unsigned states, int *lanes)
{
    int count = 0;
    for (int i = 0; i < ABREAST; i++) {
        lanes[count] = i;
        count += (int)(states >> lines->state[i] & 1);
    }
    return count;
}

/* Take line `from` into lane i. */
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
    lines->blur[i] = laid->blur[from];
    lines->blur_z[i] = laid->blur_z[from];
    lines->part[i] = laid->part[from];
    lines->end[i] = laid->end[from];
    lines->state[i] = laid->state[from];
    lines->level[i] = laid->level[from];
    lines->block[i] = laid->block[from];
    lines->inverse[i] = laid->inverse[from];
    lines->step[i] = laid->step[from];
    lines->share[i] = laid->share[from];
    lines->apart[i] = laid->apart[from];
    lines->from_u[i] = laid->from_u[from];
    lines->from_v[i] = laid->from_v[from];
    lines->from_z[i] = laid->from_z[from];
    lines->east[i] = laid->east[from];
    lines->south[i] = laid->south[from];
    lines->climb[i] = laid->climb[from];
    lines->slack[i] = laid->slack[from];
    lines->doubt[i] = laid->doubt[from];
}

/* Leave all lanes without a line. */
static inline void
clear_abreast(struct Abreast *ALONE lines)
{
    memset(lines, 0, sizeof *lines);
    for (int i = 0; i < ABREAST; i++) {
        lines->block[i] = lines->inverse[i] = 1;
        lines->state[i] = SEEN;
    }
}

#endif
