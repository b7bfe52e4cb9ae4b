/* Batches of sight lines tested in SIMD lanes against the slabs of the ground: what line.pxd does
   for one line, as far as slabs alone decide. It is plain C, which compilers vectorise. The result
   for a line does not depend on the other lines of its batch. Slabs are tested in single precision,
   less its error bound. */

#ifndef EMLIA3D_LINE_BATCH_H
#define EMLIA3D_LINE_BATCH_H

#include <string.h>

#include "simd.h"

enum { BATCH_SIZE = 32, MOST_LEVELS = 32 };

/* The state of a line. OPEN: its mesh edges must be tested; DOUBTFUL: without rounding. Before the
   first edge the line is compared with the ground at points far apart (SOUNDED), because most lines
   that come near the ground are blocked farther on. */
enum { HIDDEN = 0, SEEN = 1, OPEN = 2, WALKING = 3, DOUBTFUL = 4, SOUNDED = 5 };

/* The level of slabs at those points, and their distance in pieces of the finest level. */
enum { SOUNDED_AT = 1, SOUNDED_EVERY = 8 };

/* Heights above the present slab, in half-thicknesses of it. With TO_SPARE the next slabs are twice
   as wide; below 1, LACKING_2, LACKING_3 and LACKING_4 they are a half, a quarter, an eighth and a
   sixteenth as wide. The values were measured on all grounds of the benchmarks. */
static const float TO_SPARE = 3, LACKING_2 = 0.6f, LACKING_3 = 0.2f, LACKING_4 = 0.05f;

/* Error bounds of single precision for a point (about ten roundings), a height and the part of a
   line, relative to the largest input. SHORTER is what a piece lacks to two blocks, so that its
   slab contains it wherever it begins. */
static const double PLACE_BLUR = 0x1p-20;
static const double HEIGHT_BLUR = 0x1p-20;
static const double PART_BLUR = 0x1p-20;
static const double SHORTER = 0x1p-6;

/* The slabs, four floats each; the first slab of each level; and facts of the raster. */
struct Slabs {
    const float *planes;
    int first[MOST_LEVELS];
    int cols[MOST_LEVELS];
    int start;                   /* the level of a line's first piece if it is not the whole line */
    int coarsest, finest;        /* the last level; and the cells in a block of level 0 */
    double last_u, last_v;       /* its last column and row */
    double place_doubt, height_doubt; /* as line.pxd has them */
};

struct LineBatch {
    /* In single precision, for the slabs. */
    float u[BATCH_SIZE], v[BATCH_SIZE], z[BATCH_SIZE];
    float run_u[BATCH_SIZE], run_v[BATCH_SIZE], rise[BATCH_SIZE];
    float lowest[BATCH_SIZE];             /* no higher than the ends */
    float blur[BATCH_SIZE], blur_z[BATCH_SIZE]; /* what rounding may do to a place, to a height */
    float part[BATCH_SIZE], end[BATCH_SIZE]; /* the part to walk */
    int state[BATCH_SIZE];
    /* Of the piece that comes next: the level of slabs, the cells of a block, and its length; and
       where its slab is. */
    int level[BATCH_SIZE];
    float block[BATCH_SIZE], inverse[BATCH_SIZE], step[BATCH_SIZE];
    int row[BATCH_SIZE], col[BATCH_SIZE], slab[BATCH_SIZE];
    /* The next sounding of the line, as a share of the part to walk, and the distance from there to
       the middle between two; before it is sounded 1, and then 0. */
    float share[BATCH_SIZE], apart[BATCH_SIZE];
    /* In double precision, for the bends. */
    double from_u[BATCH_SIZE], from_v[BATCH_SIZE], from_z[BATCH_SIZE];
    double east[BATCH_SIZE], south[BATCH_SIZE], climb[BATCH_SIZE];
    double slack[BATCH_SIZE], doubt[BATCH_SIZE]; /* error bounds of a point and of a height */
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

/* Load lines from points, given as rows of x, y and z.

   frame : cell, west, north, least height, greatest height

   A line is not tested here, but OPEN with a part below 0, if a part of it lies beyond the raster
   or too far out for single precision, if the ground has no area, or if a number is not finite. */
FOR_EACH_SIMD_WIDTH static void
load_batch(const struct Slabs *RESTRICT slabs, const double *RESTRICT from,
           const double *RESTRICT to, const double *RESTRICT frame,
           struct LineBatch *RESTRICT lines)
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
    for (int i = 0; i < BATCH_SIZE; i++) {
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
        const int whole = levels_of((float)span / two_blocks);
        const int level = whole < start ? whole : start;
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
FOR_EACH_SIMD_WIDTH static void
aim_batch(const struct Slabs *RESTRICT slabs, struct LineBatch *RESTRICT lines)
{
    for (int i = 0; i < BATCH_SIZE; i++) {
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
    for (int i = 0; i < BATCH_SIZE; i++) {
        const int level = lines->level[i];
        lines->slab[i] = slabs->first[level] + lines->row[i] * slabs->cols[level] + lines->col[i];
    }
    for (int i = 0; i < BATCH_SIZE; i++)
        fetch(&slabs->planes[4 * (ptrdiff_t)lines->slab[i]]);
}

/* Test the present piece of each line against its slab, and go on to the next piece. A lane that is
   not WALKING stays as it is. */
FOR_EACH_SIMD_WIDTH static void
descend_batch(const struct Slabs *RESTRICT slabs, struct LineBatch *RESTRICT lines)
{
    const float *RESTRICT planes = slabs->planes;
    const int coarsest = slabs->coarsest, finest = slabs->finest;
    const float blur_of_middle = (float)HEIGHT_BLUR, wider = 1 + (float)HEIGHT_BLUR;
    const int depth = coarsest < SOUNDED_AT ? coarsest : SOUNDED_AT;
    float slab[4 * BATCH_SIZE];
    for (int i = 0; i < BATCH_SIZE; i++)
        memcpy(&slab[4 * i], &planes[4 * (ptrdiff_t)lines->slab[i]], 4 * sizeof(float));
    for (int i = 0; i < BATCH_SIZE; i++) {
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

/* Return the level of the first pieces of later lines: longer pieces if most lanes that walked were
   clear of the ground at their first piece and go on, shorter ones if most were not clear. */
FOR_EACH_SIMD_WIDTH static int
start_after(const struct Slabs *RESTRICT slabs, const struct LineBatch *RESTRICT laid, int walked)
{
    const int start = slabs->start;
    int clear = 0, near = 0;
    for (int i = 0; i < BATCH_SIZE; i++) {
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
list_lanes(const struct LineBatch *lines, unsigned states, int *lanes)
{
    int count = 0;
    for (int i = 0; i < BATCH_SIZE; i++) {
        lanes[count] = i;
        count += (int)(states >> lines->state[i] & 1);
    }
    return count;
}

/* Take line `from` into lane i. */
static inline void
copy_line(struct LineBatch *RESTRICT lines, int i, const struct LineBatch *RESTRICT laid, int from)
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
clear_batch(struct LineBatch *RESTRICT lines)
{
    memset(lines, 0, sizeof *lines);
    for (int i = 0; i < BATCH_SIZE; i++) {
        lines->block[i] = lines->inverse[i] = 1;
        lines->state[i] = SEEN;
    }
}

#endif
