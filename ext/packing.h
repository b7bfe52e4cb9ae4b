/* Figures as shaders read them, in plain C so that compilers make vectors of it. Every figure is
   done alike, whatever the vector's width. */

#ifndef EMLIA3D_PACKING_H
#define EMLIA3D_PACKING_H

#include <stdint.h>

#include "widths.h"

enum { AT_ONCE = 64 };

/* The columns of figures, n each; those that begin with was_ are of a tick before. */
struct Columns {
    const float *x, *y, *facing, *was_x, *was_y, *was_facing, *size, *lift;
    const uint8_t *pose, *was_pose, *team, *model, *shade;
};

/* Two rows of four floats a figure: place, facing in radians, flags; then where it was and looked,
   and how large and high up it is. Flags and sizes are whole numbers below 2^24.

   heights : of the bodies; tall : out, n, of the figures */
FOR_EACH_WIDTH static void
pack_figures(const struct Columns *from, ptrdiff_t n, const float *ALONE heights,
             float *ALONE rows, float *ALONE tall)
{
    const float radian = 0.017453292519943295f;
    for (ptrdiff_t first = 0; first < n; first += AT_ONCE) {
        const float *facing = from->facing + first, *was_facing = from->was_facing + first;
        const float *size = from->size + first, *lift = from->lift + first;
        const uint8_t *pose = from->pose + first, *was_pose = from->was_pose + first;
        const uint8_t *team = from->team + first, *model = from->model + first;
        const uint8_t *shade = from->shade + first;
        const ptrdiff_t count = n - first < AT_ONCE ? n - first : AT_ONCE;
        float turn[AT_ONCE], was_turn[AT_ONCE], flags[AT_ONCE], bulk[AT_ONCE];
        for (ptrdiff_t k = 0; k < count; k++) {
            /* Eight bits by which figures differ, the same for the same number. */
            const uint32_t own = (uint32_t)(first + k) * 2654435761u >> 8 & 0xFF0000u;
            const uint32_t held = pose[k] | (uint32_t)was_pose[k] << 2;
            const uint32_t looks = shade[k] | (uint32_t)model[k] << 4;
            float large = size[k] * 64.0f + 0.5f, high = lift[k] * 16.0f + 0.5f;
            large = large > 1.0f ? large : 1.0f;
            large = large < 4095.0f ? large : 4095.0f;
            high = high > 0.0f ? high : 0.0f;
            high = high < 4095.0f ? high : 4095.0f;
            turn[k] = facing[k] * radian;
            was_turn[k] = was_facing[k] * radian;
            flags[k] = (float)(int32_t)(own | team[k] | held << 4 | looks << 8);
            bulk[k] = (float)((int32_t)large | (int32_t)high << 12);
        }
        for (ptrdiff_t k = 0; k < count; k++) {
            float *row = rows + 8 * (first + k);
            row[0] = from->x[first + k];
            row[1] = from->y[first + k];
            row[2] = turn[k];
            row[3] = flags[k];
            row[4] = from->was_x[first + k];
            row[5] = from->was_y[first + k];
            row[6] = was_turn[k];
            row[7] = bulk[k];
            tall[first + k] = heights[model[k]] * size[k];
        }
    }
}

/* The least and the greatest of n numbers and of what was found before. */
static inline void
stretch(const float *values, ptrdiff_t n, float *least, float *most)
{
    float low[LANES], high[LANES];
    if (n < LANES) {
        for (ptrdiff_t k = 0; k < n; k++) {
            *least = values[k] < *least ? values[k] : *least;
            *most = values[k] > *most ? values[k] : *most;
        }
        return;
    }
    for (int i = 0; i < LANES; i++)
        low[i] = high[i] = values[i];
    for (ptrdiff_t k = LANES; k < n; k += LANES) {
        /* The last ones are looked at twice where they do not come out even. */
        const float *next = values + (k < n - LANES ? k : n - LANES);
        for (int i = 0; i < LANES; i++) {
            low[i] = next[i] < low[i] ? next[i] : low[i];
            high[i] = next[i] > high[i] ? next[i] : high[i];
        }
    }
    for (int i = 0; i < LANES; i++) {
        *least = low[i] < *least ? low[i] : *least;
        *most = high[i] > *most ? high[i] : *most;
    }
}

/* Between which places and heights the figures of each run are, now and a tick before.

   starts : runs + 1, the last where the last run ends; bounds : out, 7 rows of runs: least and
   greatest x, least and greatest y, greatest lift, least and greatest height */
FOR_EACH_WIDTH static void
bound_runs(const struct Columns *from, const float *ALONE tall, const int32_t *ALONE starts,
           ptrdiff_t runs, float *ALONE bounds)
{
    for (ptrdiff_t run = 0; run < runs; run++) {
        const ptrdiff_t first = starts[run], n = starts[run + 1] - first;
        float low[4] = {from->x[first], from->y[first], from->lift[first], tall[first]};
        float high[4] = {low[0], low[1], low[2], low[3]};
        stretch(from->x + first, n, &low[0], &high[0]);
        stretch(from->was_x + first, n, &low[0], &high[0]);
        stretch(from->y + first, n, &low[1], &high[1]);
        stretch(from->was_y + first, n, &low[1], &high[1]);
        stretch(from->lift + first, n, &low[2], &high[2]);
        stretch(tall + first, n, &low[3], &high[3]);
        bounds[run] = low[0];
        bounds[runs + run] = high[0];
        bounds[2 * runs + run] = low[1];
        bounds[3 * runs + run] = high[1];
        bounds[4 * runs + run] = high[2];
        bounds[5 * runs + run] = low[3];
        bounds[6 * runs + run] = high[3];
    }
}

#endif
