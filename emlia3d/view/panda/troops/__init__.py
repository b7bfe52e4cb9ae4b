"""Figures, the blocks that stand for them far away, and standards."""
