"""ruledout: what a coding agent should remember of a debugging session. The face is lazy: importing this loads nothing else."""

__version__ = "0.1.0"
