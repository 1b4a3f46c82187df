"""Settings files of other programs on the disk, the manifest of what was written there, and the installed command tried out. Decides nothing: `flows` do."""
