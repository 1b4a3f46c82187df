"""What was written into agents' settings, what was taken out, and how it all stands, as text."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruledout.flows.diagnose import Diagnosis, Installed
    from ruledout.flows.install import Step

_SAID = {
    "written": "installed",
    "would_write": "would write",
    "there": "already there",
    "restored": "as it was before, byte for byte",
    "deleted": "deleted: it was made by `init`",
    "removed": "our entries are out; the rest was changed since, and stays",
    "gone": "is gone already",
    "refused": "REFUSED",
}


def steps_text(steps: "Sequence[Step]", *, dry: bool) -> str:
    """`ruledout init`: a line or two a file; with `dry` the very text that would go in."""
    lines = [line for step in steps for line in _step(step, dry=dry)]
    notes = dict.fromkeys(step.note for step in steps if step.note and step.state in ("written", "would_write"))
    lines += [f"still to do: {note}" for note in notes]
    if not dry and any(step.state in ("written", "there") for step in steps):
        lines.append("`ruledout doctor` tries it; `ruledout uninstall` takes it all out again")
    return "\n".join(lines)


def gone_text(steps: "Sequence[Step]", gone: Sequence[str], *, dry: bool) -> str:
    """`ruledout uninstall`."""
    lines = [line for step in steps for line in _step(step, dry=False)]
    lines += [f"removed {path}" for path in gone]
    if dry:
        lines.append("nothing was written")
    return "\n".join(lines) or "nothing of ours is installed"


def _step(step: "Step", *, dry: bool) -> Iterator[str]:
    entries = f"  {', '.join(step.pointers)}" if step.pointers else ""
    yield f"{step.title:<12} {step.scope:<8} {step.path}: {_SAID[step.state]}{entries}"
    if step.state == "refused":
        yield f"    {step.message}; {step.mend}"
    if dry and step.shown:
        yield from (f"    + {line}" for line in step.shown.strip("\r\n").splitlines())


def diagnosis_text(found: "Diagnosis") -> str:
    """`ruledout doctor`: where it is installed and how it answers, then what was looked at, the worst last."""
    lines = [f"ruledout {found.machine.version}, {found.machine.python}"]
    lines += [_installed(one) for one in found.installed]
    lines.append(f"last heard of a session {found.machine.heard or 'never'}; last spoke in this repository {found.machine.spoke or 'never'}")
    order = ("ok", "note", "wrong")
    for one in sorted(found.findings, key=lambda one: order.index(one.level)):
        lines.append(f"{one.level.upper() if one.level == 'wrong' else one.level:<6}{one.about}: {one.message}{f'; {one.mend}' if one.mend else ''}")
    return "\n".join([*lines, "sound" if found.sound else "something is wrong"])


def _installed(one: "Installed") -> str:
    told = f"{one.title:<12} {one.scope:<8} {one.path}: {one.entries} of {one.of} entries"
    if one.replay is None:
        return told
    spoke = "speaks as it should" if one.replay.spoke and one.replay.silent else "DOES NOT answer as it should"
    return f"{told}, {spoke}; {one.replay.ratio} times a bare interpreter's start when it speaks, {one.replay.silent_ratio} when it is silent"
