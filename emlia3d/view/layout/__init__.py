"""Panels over the picture: their parts and their layout. No window."""
