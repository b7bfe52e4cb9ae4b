/* Which of many circles come into a window: the innermost loops of the broad phase, in plain C so
   that compilers make vectors of them. Every circle is held against the window alone. */

#ifndef EMLIA3D_CIRCLES_H
#define EMLIA3D_CIRCLES_H

#include <stdint.h>

#include "bits.h"
#include "simd.h"

enum { BLOCK = 16 };

/* A corridor as it lies in its axis frame, the axis of length 1: its box; t of each side where s is
   0, its slope, and how much longer it is than its part of the axis (no side at all where it is
   steep); and the stretch of the axis along which it is sure to be just what is between the two. */
struct Window {
    float dx, dy, s_middle, t_middle, s_half, t_half;
    float low, low_slope, low_stretch, high, high_slope, high_stretch;
    float clear_middle, clear_half;
};

/* Measured from one origin: circles round bodies and, with the same middles, such as their bodies
   cover. Whole blocks, filled up with circles of no size. */
struct Circles {
    ptrdiff_t count;
    const float *x, *y, *radius, *inner;
};

static const int32_t CIRCLE[BLOCK] = {
    1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11,
    1 << 12, 1 << 13, 1 << 14, 1 << 15,
};

/* Which circles of a block come into the window, a bit for each. */
FORCE_INLINE uint64_t
reach_into(const struct Window *w, const struct Circles *circles, ptrdiff_t block)
{
    const float *x = circles->x + block * BLOCK, *y = circles->y + block * BLOCK;
    const float *radius = circles->radius + block * BLOCK;
    const float dx = w->dx, dy = w->dy, s_middle = w->s_middle, t_middle = w->t_middle;
    const float s_half = w->s_half, t_half = w->t_half;
    const float low = w->low, low_slope = w->low_slope, low_stretch = w->low_stretch;
    const float high = w->high, high_slope = w->high_slope, high_stretch = w->high_stretch;
    int32_t hits = 0;
    for (int k = 0; k < BLOCK; k++) {
        const float s = x[k] * dx + y[k] * dy, t = y[k] * dx - x[k] * dy;
        const float along = s - s_middle, across = t - t_middle;
        const float ahead = along < 0 ? -along : along, aside = across < 0 ? -across : across;
        const float below = low + s * low_slope - t, above = t - (high + s * high_slope);
        hits |= (ahead <= s_half + radius[k]) & (aside <= t_half + radius[k])
                & (below <= radius[k] * low_stretch) & (above <= radius[k] * high_stretch)
                ? CIRCLE[k] : 0;
    }
    return (uint64_t)hits;
}

/* Which bodies of a block shut the window off from side to side, as the circles in them do. */
FORCE_INLINE uint64_t
shut_off(const struct Window *w, const struct Circles *circles, ptrdiff_t block)
{
    const float *x = circles->x + block * BLOCK, *y = circles->y + block * BLOCK;
    const float *inner = circles->inner + block * BLOCK;
    const float dx = w->dx, dy = w->dy, middle = w->clear_middle, half = w->clear_half;
    const float low = w->low, low_slope = w->low_slope;
    const float high = w->high, high_slope = w->high_slope;
    int32_t shut = 0;
    for (int k = 0; k < BLOCK; k++) {
        const float s = x[k] * dx + y[k] * dy, t = y[k] * dx - x[k] * dy;
        const float along = s - middle, ahead = along < 0 ? -along : along;
        const float below = t - (low + s * low_slope), above = high + s * high_slope - t;
        shut |= (ahead <= half) & (below <= inner[k]) & (above <= inner[k]) ? CIRCLE[k] : 0;
    }
    return (uint64_t)shut;
}

/* Mark the circles that enter the window, a bit for each row, and of these the bodies that close
   it.

   blocks : the circles round sixteen circles each
   rows   : of each circle */
FOR_EACH_SIMD_WIDTH static void
mark_near(const struct Window *window, const struct Circles *blocks,
          const struct Circles *circles, const int32_t *rows, uint64_t *RESTRICT marked,
          uint64_t *RESTRICT shut)
{
    for (ptrdiff_t first = 0; first < blocks->count; first += BLOCK)
        for (uint64_t near = reach_into(window, blocks, first / BLOCK); near; near &= near - 1) {
            const ptrdiff_t block = first + lowest_bit(near);
            uint64_t hits = reach_into(window, circles, block);
            const uint64_t full = shut_off(window, circles, block);
            for (; hits; hits &= hits - 1) {
                const int place = lowest_bit(hits);
                const int32_t row = rows[block * BLOCK + place];
                marked[row >> 6] |= (uint64_t)1 << (row & 63);
                shut[row >> 6] |= (full >> place & 1) << (row & 63);
            }
        }
}

#endif
