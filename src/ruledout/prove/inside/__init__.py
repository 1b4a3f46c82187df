"""Files that run inside a gate's process, not in ours: the supervisor and the report plug-ins. Standard library only; they import nothing of the house."""
