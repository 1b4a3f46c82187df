"""Answers of the look-up verbs as text."""

from textwrap import fill

from ruledout.doors.show.record import short
from ruledout.doors.show.session import line
from ruledout.flows.audit import Audited
from ruledout.flows.list_records import Listing
from ruledout.recall.match import Answer

SAY = {
    "ruled_out": "RULED OUT: this was tried as it stands, and failed",
    "near": "near a dead end: something like it failed; that alone rules nothing out",
    "reopened": "reopened: this failed once, under conditions that have changed since",
    "clear": "clear: nothing that is kept speaks against it",
}


def checked(answer: Answer) -> str:
    """The verdict, and for each match what is known and what held instead."""
    parts = [SAY[answer.verdict.value]]
    for match in answer.matches:
        parts.append(f"  {short(match.record)} {match.branch}, by the {match.level.value}:")
        parts.append(_wrapped(match.evidence))
        parts += [_wrapped(f"instead: {match.instead}")] if match.instead else []
    return "\n".join([*parts, *([f"  and {answer.more} more"] if answer.more else [])])


def _wrapped(text: str) -> str:
    return fill(line(text, 600), width=140, initial_indent="      ", subsequent_indent="        ", break_long_words=False, break_on_hyphens=False)


def listing(found: Listing) -> str:
    """One line a record."""
    if not found.records:
        return "nothing is kept for this repository yet; distil a session: `ruledout distill SESSION`"
    stands = {stood.digest: stood.finding.replace("_", " ") for stood in found.standings}
    width = max(map(len, stands.values()), default=0)
    marks = {digest: f"{word:<{width}}  " for digest, word in stands.items()}
    none = " " * (width + 2 if width else 0)
    return "\n".join(f"{short(kept.digest)}  {kept.at}  {kept.status:<18}  {marks.get(kept.digest, none)}{line(kept.title, 100)}" for kept in found.records)


def audited(found: Audited) -> str:
    """Sound, or what does not add up."""
    if not found.findings:
        return f"sound: {found.records} records, every digest and the chain derived again"
    return "\n".join([f"{len(found.findings)} findings in {found.records} records:", *(f"  {f.row}: {f.code}: {line(f.message, 200)}" for f in found.findings)])
