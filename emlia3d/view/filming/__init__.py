"""Videos of battles: timing, camera and file."""
