"""Panels over the picture: their parts and their layout. It needs no window."""
