"""Draws a `view.moment.scene` with Panda3D; the only place that imports it."""
