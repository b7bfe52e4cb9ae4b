"""``emlia3d edit``: connection between the text of a scenario and the editor's window."""
