/* How loops become vectors, whatever the processor: what the headers with such loops share. */

#ifndef EMLIA3D_SIMD_H
#define EMLIA3D_SIMD_H

#include <limits.h> /* distinguishes glibc from other C libraries */
#include <stddef.h>

/* Copies for wider processors, of which the one that fits is chosen when the program is loaded:
   glibc can, but not while the sanitizers are still asleep. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && !defined(__SANITIZE_ADDRESS__) && !defined(EMLIA3D_ONE_WIDTH)
#define FOR_EACH_SIMD_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_SIMD_WIDTH
#endif

#ifdef _MSC_VER
#define RESTRICT __restrict
#else
#define RESTRICT restrict
#endif

/* What such a loop calls becomes part of it: apart, it would be as narrow as any processor. */
#ifdef _MSC_VER
#define FORCE_INLINE static __forceinline
#else
#define FORCE_INLINE static inline __attribute__((always_inline))
#endif

/* Send for what will soon be read. */
#if defined(__GNUC__)
#define fetch(place) __builtin_prefetch(place)
#else
#define fetch(place)
#endif

/* Columns of lanes begin where vectors do, so that none lies across two lines of the cache. */
#ifdef _MSC_VER
#define CACHE_ALIGNED __declspec(align(64))
#else
#define CACHE_ALIGNED __attribute__((aligned(64)))
#endif

enum { LANES = 8 };

#endif
