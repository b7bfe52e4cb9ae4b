"""``emlia3d edit``: joins the text of a scenario with the editor's window."""
