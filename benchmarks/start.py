"""How long the program takes to start: `ruledout --version` to a bare interpreter (`python -I -c pass`), whole processes."""

from _measure import best, options, report

if __name__ == "__main__":
    asked = options(__doc__, best_of=30)
    program, bare = best(asked.best_of, [*asked.program, "--version"], [asked.python, "-I", "-c", "pass"])
    report("start", program / bare, 2.5, unit="x a bare interpreter", program_ms=round(program * 1000, 1), bare_ms=round(bare * 1000, 1))
