"""Draws a `view.scene` with Panda3D; the only place that imports it."""
