"""Deployment in play: strips of the sides, and alternate placement of formations."""
