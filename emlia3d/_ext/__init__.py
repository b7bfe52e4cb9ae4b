"""Where the compiled kernels land, a type stub each; only ``geometry`` imports them."""
