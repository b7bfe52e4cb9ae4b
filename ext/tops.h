/* The highest ground of rectangles, and lines of sight that are above all of it: where ground is
   nearly flat most lines are settled so, by four numbers each. */

#ifndef EMLIA3D_TOPS_H
#define EMLIA3D_TOPS_H

#include <float.h>

#include "line_batch.h"

/* The tiles that the ground is cut into at most, each way, and the powers of two up to that. */
enum { MOST_TILES = 32, TOP_SIZES = 6 };

/* highest : of the rectangle of tiles that begins at a row and a column and is 2^tall by 2^wide
             tiles, as far as there is ground: by tall, wide, row and column
   tiles   : in a cell */
struct Tops {
    const float *highest;
    float tiles;
};

/* The exponent of the greatest power of two that is no greater than a whole number above 0. */
static inline int
exponent_of(int number)
{
    const float whole = (float)number;
    int bits;
    memcpy(&bits, &whole, sizeof bits);
    return (bits >> 23) - 127;
}

/* Settle the lines that are above all ground between the rows and columns of their ends; how many
   still walk. Two rectangles each way cover the tiles between those, together. */
FOR_EACH_SIMD_WIDTH static int
test_tops_batch(const struct Tops *RESTRICT tops, struct LineBatch *RESTRICT lines)
{
    const float *RESTRICT highest = tops->highest;
    const float tiles = tops->tiles;
    int north_west[BATCH_SIZE], north_east[BATCH_SIZE];
    int south_west[BATCH_SIZE], south_east[BATCH_SIZE];
    float top[BATCH_SIZE];
    int walking = 0;
    for (int i = 0; i < BATCH_SIZE; i++) {
        const float u = lines->u[i], v = lines->v[i], blur = lines->blur[i];
        const float run_u = lines->run_u[i], run_v = lines->run_v[i];
        const int west = (int)((u + (run_u < 0 ? run_u : 0) - blur) * tiles);
        const int east = (int)((u + (run_u < 0 ? 0 : run_u) + blur) * tiles);
        const int north = (int)((v + (run_v < 0 ? run_v : 0) - blur) * tiles);
        const int south = (int)((v + (run_v < 0 ? 0 : run_v) + blur) * tiles);
        const int wide = exponent_of(east - west + 1), tall = exponent_of(south - north + 1);
        const int table = (tall * TOP_SIZES + wide) * MOST_TILES;
        const int upper = (table + north) * MOST_TILES;
        const int lower = (table + south + 1 - (1 << tall)) * MOST_TILES;
        const int left = west, right = east + 1 - (1 << wide);
        north_west[i] = upper + left;
        north_east[i] = upper + right;
        south_west[i] = lower + left;
        south_east[i] = lower + right;
    }
    for (int i = 0; i < BATCH_SIZE; i++) {
        const float nw = highest[north_west[i]], ne = highest[north_east[i]];
        const float sw = highest[south_west[i]], se = highest[south_east[i]];
        const float north = nw > ne ? nw : ne, south = sw > se ? sw : se;
        top[i] = north > south ? north : south;
    }
    for (int i = 0; i < BATCH_SIZE; i++) {
        const int on = lines->state[i] == WALKING, above_top = lines->lowest[i] >= top[i];
        const int above = on & above_top & (top[i] <= FLT_MAX);
        lines->state[i] = above ? SEEN : lines->state[i];
        walking += on & (above ^ 1);
    }
    return walking;
}

#endif
