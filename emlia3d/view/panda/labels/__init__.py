"""Words over the picture: name tags, panels, a map's legend."""
