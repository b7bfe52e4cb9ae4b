"""Studies of many battles, and benchmarks of kernels and turns."""
