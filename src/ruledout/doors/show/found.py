"""Sessions that were found, and what became of many, as text."""

from collections.abc import Sequence

from msgspec import Struct

from ruledout.doors.show.session import line
from ruledout.flows.distill_sessions import Step
from ruledout.flows.list_sessions import SessionRow, Sessions
from ruledout.model.transcript import Skipped

WORDS = {"residual": "residuals", "handoff": "handoffs", "kept_before": "kept before", "elsewhere": "of other repositories", "skipped": "skipped"}


class Summed(Struct, frozen=True, kw_only=True):
    """How many sessions came to what, and why some were skipped, most first. Files that are no sessions count as skipped too."""

    counts: dict[str, int]
    skipped: tuple[Skipped, ...]


def summed(steps: Sequence[Step], passed: Sequence[Skipped]) -> Summed:
    """Count the steps, and what was passed over before them."""
    reasons: dict[str, tuple[int, str]] = {one.reason: (one.count, one.first) for one in passed}
    for step in steps:
        if step.reason is not None:
            count, first = reasons.get(step.reason, (0, step.path))
            reasons[step.reason] = (count + 1, first)
    counts = {name: sum(step.result == name for step in steps) for name in WORDS}
    skipped = tuple(Skipped(reason=reason, count=count, first=first) for reason, (count, first) in sorted(reasons.items(), key=lambda pair: -pair[1][0]))
    return Summed(counts={**counts, "skipped": sum(one.count for one in skipped)}, skipped=skipped)


def summary(told: Summed) -> str:
    """The counts on one line, the reasons on one line each."""
    counts = ", ".join(f"{told.counts[name]} {word}" for name, word in WORDS.items() if told.counts[name] or name != "elsewhere")
    return "\n".join([counts, *_reasons(told.skipped)])


def listed(found: Sessions) -> str:
    """Three lines a session: what and when, where, and what was asked first."""
    rows = [_row(row) for row in found.sessions]
    if not rows:
        none = "no sessions of this repository were found" if found.elsewhere else "no sessions were found; `docs/formats.md` says where they are looked for"
        rows.append(none)
    rows += [f"{found.elsewhere} of other repositories"] if found.elsewhere else []
    return "\n".join([*rows, *_reasons(found.skipped)])


def _row(row: SessionRow) -> str:
    turns = "? turns" if row.turns is None else f"{row.turns} turns"
    parts = [f"{row.modified}  {row.agent:<12} {row.looks:<10} {turns:>11} {_size(row.bytes):>9}  {line(row.repository or '(repository unknown)', 80)}"]
    parts += [f'    "{line(row.prompt, 110)}"'] if row.prompt else []
    return "\n".join([*parts, f"    {line(row.path, 400)}"])


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def _reasons(skipped: Sequence[Skipped]) -> list[str]:
    return [f"skipped {one.count}: {line(one.reason, 80)} (first: {line(one.first, 200)})" for one in skipped]
