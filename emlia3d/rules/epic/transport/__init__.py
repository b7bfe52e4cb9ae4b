"""Transport: capacity of carriers, mounting and dismounting."""
