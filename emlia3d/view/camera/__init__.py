"""Cameras, and picking under the cursor."""
