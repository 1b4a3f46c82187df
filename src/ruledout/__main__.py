"""`python -m ruledout`, and the console script. The version is answered before anything is loaded."""

import sys

from ruledout import __version__


def main() -> int:
    """Run the command line; returns the exit code of DESIGN's contract: 0 done, 1 no, 2 asked wrongly, 3 could not run, 70 our bug."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"ruledout {__version__}\n")
        return 0
    from ruledout.doors.cli import run  # loaded only when a verb is asked for

    return run(sys.argv[1:])


if __name__ == "__main__":
    raise SystemExit(main())
