"""Edits read out of shell commands: what a command line says that it will do to files. It is read as text, never run, never expanded.

`words` takes a command line apart; `edits` knows the commands that write files.
"""

from ruledout.read.shell.edits import edits, inner, stashes

__all__ = ["edits", "inner", "stashes"]
