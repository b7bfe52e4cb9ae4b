"""The compiled kernels, a type stub each; only ``geometry`` imports them."""
