"""The rules of sight as compiled kernels over columns, and what checks their arguments."""
