"""Battle reports of Emlia: sentences about units, paragraphs, turns."""
