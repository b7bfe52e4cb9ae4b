"""The results of a battle that is over: who won and why, losses, luck, key events, charts."""
