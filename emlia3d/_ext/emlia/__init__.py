"""Where the compiled kernels of Emlia's rules land, a type stub each."""
