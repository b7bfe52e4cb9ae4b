"""Baseline implementations of the kernels, for comparison; only `emlia3d bench` loads them.

Each is as fast as an expert in its library can write it. Baselines in numba and Embree raise
ImportError without the extra `bench`.
"""
