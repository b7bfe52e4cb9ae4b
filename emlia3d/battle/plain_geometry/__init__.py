"""Geometric sight and viewsheds, without the rules of a system."""
