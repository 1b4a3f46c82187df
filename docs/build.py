#!/usr/bin/env python3
"""Writes the generated parts of the docs from the running code: the program's help, its errors, the formats it reads, and which test bears which rule.

A page is written by hand but for what stands between `<!-- built: NAME -->` and `<!-- /built -->`. Without an option the parts are written anew. With `--check`
nothing is written, and the exit code is 1 if a part is not current, or a rule that the code enforces has no test. It refuses to guess: what it cannot read,
it names.
"""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from built import cli, errors, formats, rules, toolchains

ROOT = Path(__file__).resolve().parent.parent
PART = re.compile(r"(<!-- built: (?P<name>[a-z-]+) -->\n)(?P<body>.*?)(<!-- /built -->)", re.DOTALL)
PAGES = ("README.md", "docs/demo.md", "docs/cli.md", "docs/errors.md", "docs/formats.md", "docs/outcomes.md", "docs/rules.md")
PARTS: dict[str, Callable[[Path], str]] = {
    "demo": cli.demo,
    "questions": cli.questions,
    "verbs": cli.verbs,
    "helps": cli.helps,
    "errors": errors.table,
    "refusals": errors.refusals,
    "formats": formats.sections,
    "places": formats.places,
    "rules": rules.table,
    "toolchains": toolchains.table,
}
# argparse lays its help out anew with each version of Python: the pages have the layout of the oldest that is supported, and on others it is not compared.
LAYOUT, LAID_OUT = (3, 11), ("helps",)
# What differs from run to run and machine to machine, and so is no news: durations, digests, ids of commits, private folders.
VARIES = re.compile(r"\d+(?:\.\d+)? ?m?s\b|\b[0-9a-f]{6,}\b|/tmp/[^\s'\"]+|\d{4}-\d\d-\d\d(?:T[\d:]+Z)?")


def same(name: str, old: str, new: str) -> bool:
    """Whether a part is current. What the demo prints is compared without what varies."""
    return VARIES.sub("*", old) == VARIES.sub("*", new) if name in {"demo", "questions"} else old == new


def rebuilt(text: str, made: dict[str, str]) -> str:
    """The page with its parts as they are made now; a part that only varies is kept as it stands."""

    def fill(found: re.Match[str]) -> str:
        name, old = found["name"], found["body"]
        if name not in made or same(name, old, made[name]):
            return found[0]
        return f"{found[1]}{made[name]}{found[4]}"

    return PART.sub(fill, text)


def unknown_parts(text: str) -> list[str]:
    """Names of parts that nothing here makes."""
    return [found["name"] for found in PART.finditer(text) if found["name"] not in PARTS]


def build(root: Path, *, write: bool, without: Sequence[str]) -> list[str]:
    """Build every page; the findings, one line each or a diff. Empty when all is current and every rule is kept."""
    findings = rules.broken(root) + errors.broken(root)
    skipped = {*without, *(LAID_OUT if sys.version_info[:2] != LAYOUT else ())}
    made: dict[str, str] = {}
    for name in PARTS.keys() - skipped:
        try:
            made[name] = PARTS[name](root)
        except cli.NotMade as error:
            findings.append(f"the part {name!r} stays as it is: {error}")
    for page in PAGES:
        path = root / page
        old = path.read_text(encoding="utf-8")
        findings += [f"{page}: no one makes the part {name!r}" for name in unknown_parts(old)]
        new = rebuilt(old, made)
        if new == old:
            continue
        if write:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{page}: written\n")
        else:
            findings.append("\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), page, f"{page}, as it is now", n=1, lineterm="")))
    return findings


def main(argv: Sequence[str]) -> int:
    """Write, or check; 0 when all is well, 1 when something is not, 3 when the program could not be asked."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the docs, or check that they are current.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a part is not current")
    parser.add_argument("--without", action="append", default=[], choices=sorted(PARTS), help="leave this part as it stands")
    options = parser.parse_args(argv)
    findings = build(ROOT, write=not options.check, without=options.without)
    for finding in findings:
        sys.stderr.write(f"{finding}\n")
    if findings and options.check:
        sys.stderr.write("the docs are not current: run `make docs`, or mend what is named above\n")
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
