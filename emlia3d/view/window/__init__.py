"""What a window does with a battle: playing it, finding moments in it, panels over it."""
