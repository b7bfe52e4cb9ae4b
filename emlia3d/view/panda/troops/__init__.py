"""Figures, blocks that replace them in the distance, and standards."""
