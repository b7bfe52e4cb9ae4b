"""Positions, contact, reach and free ground of units and figures."""
