"""Settings from `[tool.ruledout]` or `.ruledout.toml`: budgets and carry-over paths, never trust, sandbox or URLs."""
