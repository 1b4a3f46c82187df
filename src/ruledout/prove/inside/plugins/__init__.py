"""Files that a gate's own interpreter loads."""
