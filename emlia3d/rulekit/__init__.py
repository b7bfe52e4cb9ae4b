"""What rule systems are built with, beside the battle itself."""
