"""People at the window: what they are asked, their answers, what they get to see. No window."""
