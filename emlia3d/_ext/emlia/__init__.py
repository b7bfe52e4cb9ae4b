"""The compiled kernels of Emlia's rules, a type stub each."""
