"""Commands for rasters of elevations, and the import of scenarios from them."""
