/* Sets of small numbers, a bit for each. */

#ifndef EMLIA3D_BITS_H
#define EMLIA3D_BITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef _MSC_VER
#include <intrin.h>
#endif

/* The number of the lowest bit of a word that has any. */
static inline int
lowest_bit(uint64_t word)
{
#ifdef _MSC_VER
    unsigned long place;
    _BitScanForward64(&place, word);
    return (int)place;
#else
    return __builtin_ctzll(word);
#endif
}

/* List the bits set in *words* words, rising, and clear them; return their number. */
static inline ptrdiff_t
list_bits(uint64_t *words, ptrdiff_t count, int32_t *out)
{
    ptrdiff_t listed = 0;
    for (ptrdiff_t k = 0; k < count; k++) {
        for (uint64_t word = words[k]; word; word &= word - 1)
            out[listed++] = (int32_t)(64 * k + lowest_bit(word));
        words[k] = 0;
    }
    return listed;
}

#endif
