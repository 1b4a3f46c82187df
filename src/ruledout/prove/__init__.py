"""Running gates on trees of our own making. The only floor that starts processes, and only in `process`."""
