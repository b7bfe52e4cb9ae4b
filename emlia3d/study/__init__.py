"""Many battles, and how fast the program is: what is asked of it from outside a battle."""
