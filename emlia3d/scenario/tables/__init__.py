"""One module for each kind of table in a scenario file."""
