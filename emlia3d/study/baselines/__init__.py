"""Other implementations of what the kernels do, for comparison: only `emlia3d bench` loads them.

Each is as fast as an expert in its library can write it. Those of numba and Embree raise
ImportError without the extra `bench`.
"""
