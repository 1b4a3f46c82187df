"""What a line guards against, and does a change take a proved guard out. Reads; runs nothing (R12), unless `rerun` is asked for and allowed."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs

from ruledout.changes import Changes, Override, Overrides, Versions
from ruledout.errors import BadInput, CannotRun
from ruledout.flows.known_guards import GuardView, Known, guards, published_in, view
from ruledout.flows.recheck import Asked, Watch, recheck
from ruledout.model.record import Standing
from ruledout.ports import Store
from ruledout.recall.anchor import Place
from ruledout.recall.fate import LOST, Fate, State, fate, found, where
from ruledout.rerun import Grants, Rerunner


class Why(Struct, frozen=True, kw_only=True):
    """The answer of `why`: the guards on a line or in a file, and those that were kept for the file and lost their lines."""

    file: str
    line: int | None
    guards: tuple[GuardView, ...]
    lost: tuple[GuardView, ...]


class Finding(Struct, frozen=True, kw_only=True):
    """A proved guard and what the change does to it.

    `verdict` is `removed`, `changed` or `disabled` for what refuses, else `allowed`, `kept`, `moved`, `replaced` (its gate holds without it) or `stale`.
    """

    verdict: str
    guard: GuardView
    was: str | None
    now: str | None
    why: str
    because: str | None = None
    gate: str | None = None
    """what its gate showed, where it was asked to run"""


class Guarded(Struct, frozen=True, kw_only=True):
    """The answer of `guard`: `verdict` is `clear` or `guard_lost`; `findings` are those that refuse, `passed` the other guards in the changed files."""

    verdict: str
    change: str
    files: int
    findings: tuple[Finding, ...]
    passed: tuple[Finding, ...]
    known: int
    unreadable: int


def why(store: Store, files: Mapping[str, str], file: str, line: int | None) -> Why:
    """What stands guard in a file, or on one of its lines. Raises `BadInput` (`no-such-file`) for a file that git does not track or that is no text."""
    if file not in files:
        raise BadInput("no-such-file", f"{file} is no text file that git tracks here", "name a file of this repository")
    here, lost = [], []
    for one in guards(store, published_in(files)).guards:
        home, at = where(one.guard)
        place = found(one.guard, files, file)
        if place is not None and (home == file or not _at_home(one, files)):
            if line is None or place.first <= line <= place.last:
                here.append(view(one, place))
        elif place is None and home == file and line in (None, at):
            lost.append(view(one, None))
    return Why(file=file, line=line, guards=tuple(sorted(here, key=lambda row: row.lines or (0, 0))), lost=tuple(lost))


def _at_home(one: Known, files: Mapping[str, str]) -> bool:
    home, _ = where(one.guard)
    return home in files and found(one.guard, files, home) is not None


def protect(store: Store, changes: Changes, versions: Versions, allowed: Sequence[Override]) -> Guarded:
    """Does a change take a proved guard out. What a person has allowed passes, and is said."""
    kept = guards(store, versions.published)
    known = [one for one in kept.guards if one.proved]
    told = {one.guard: one.because for one in allowed}
    rows = list(_rows(known, changes, versions, told))
    lost = tuple(row for row in rows if row.verdict in LOST)
    return Guarded(
        verdict="guard_lost" if lost else "clear",
        change=versions.title,
        files=len({*versions.before, *versions.after}),
        findings=lost,
        passed=tuple(row for row in rows if row.verdict not in LOST),
        known=len(known),
        unreadable=kept.unreadable,
    )


def _rows(known: Sequence[Known], changes: Changes, versions: Versions, told: Mapping[str, str]) -> Iterator[Finding]:
    files: Mapping[str, str] | None = None
    for one in known:
        seen = fate(one.guard, versions.before, versions.after)
        if seen.state is State.UNTOUCHED:
            continue
        home, _ = where(one.guard)
        if home not in versions.before:  # the same words elsewhere were changed: is the guard itself still where it was
            files = changes.files() if files is None else files
            if home not in versions.after and _at_home(one, files):
                continue
        yield _finding(one, seen, told.get(one.id))


def _finding(one: Known, seen: Fate, because: str | None) -> Finding:
    lost = seen.state in LOST
    return Finding(
        verdict="allowed" if lost and because is not None else seen.state.value,
        guard=view(one, seen.now if not lost else None),
        was=_shown(seen.was),
        now=_shown(seen.now),
        why=seen.why,
        because=because if lost else None,
    )


def _shown(place: Place | None) -> str | None:
    return f"{place.path}:{place.first}" if place is not None else None


def allow(known: Sequence[Known], overrides: Overrides, asked: str, because: str, now: str) -> Override:
    """Keep a person's word that a guard may go. Raises `BadInput`: `no-such-guard` for an id that is none, `no-reason` without one."""
    if not because.strip():
        raise BadInput("no-reason", "an override needs its reason", 'say why: --because "the new check in cart.py does it"')
    ids = [one for one in known if len(asked) >= 6 and one.id.startswith(asked)]
    if len(ids) != 1:
        raise BadInput("no-such-guard", f"{asked[:40]!a} names {len(ids)} guards", "give the id that `ruledout guard` or `ruledout why` shows")
    made = Override(at=now, guard=ids[0].id, record=ids[0].record, because=" ".join(because.split())[:500])
    overrides.add(made)
    return made


def rerun(answer: Guarded, store: Store, gates: tuple[Rerunner, Grants, str], watch: Watch) -> Guarded:
    """The findings weighed by their own gates, run on the work tree: a lost guard whose gate holds without it was replaced. `gates` ends with the root.

    R12: a gate runs only with its user's leave; without it the finding stands, and says how to give it. The caller has seen that the change is the work tree.
    """
    rerunner, grants, root = gates
    ids = tuple(dict.fromkeys(row.guard.record for row in answer.findings if row.guard.source == "kept"))
    if not ids:
        return answer
    report = recheck(store, rerunner, grants, Asked(root=root, ids=ids), watch)
    said = {one.record: one for one in report.records}
    findings, replaced = [], []
    for row in answer.findings:
        one = said.get(row.guard.record)
        if one is not None and one.finding is Standing.HOLDS:
            replaced.append(structs.replace(row, verdict="replaced", gate=f"holds without it: {one.why}"))
        else:
            told = f"{one.finding.value}: {one.why}{f'; {one.mend}' if one.mend else ''}" if one is not None else "not in the store here, so not run"
            findings.append(structs.replace(row, gate=told))
    verdict = "guard_lost" if findings else "clear"
    return structs.replace(answer, verdict=verdict, findings=tuple(findings), passed=(*answer.passed, *replaced))


def require_work_tree(versions: Versions, files: Mapping[str, str]) -> None:
    """Raises `CannotRun` (`not-the-work-tree`) where the work tree is not what the change leads to: its gate would be run on something else."""
    other = [path for path, text in versions.after.items() if files.get(path, text) != text]
    if other:
        raise CannotRun("not-the-work-tree", f"{other[0]} is not in the work tree as {versions.title} has it", "check it out, or ask without --run")
