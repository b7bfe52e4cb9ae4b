"""The ground, its features and the sky."""
