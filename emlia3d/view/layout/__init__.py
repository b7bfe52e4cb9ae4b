"""Panels over the picture: what they are made of, and how they are laid out. No window."""
