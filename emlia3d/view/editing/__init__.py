"""The editor of scenarios: its tools, panels and marks. It needs no window and no files."""
