"""Text over the picture: name tags, panels and the legend of a map."""
