"""Others' ways to the same results, to be timed beside the kernels.

Each is written as one who knows its tool would write it. Those that need a library which is not
part of the program (numba, Embree; the extra `bench`) raise ImportError where it is missing.
"""
