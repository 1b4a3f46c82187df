"""Is the hook where it should be, does its command answer as it should, and is what it stands on sound. Reads, tries the command, changes nothing."""

import json
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ruledout.agents.settings import entries, syntax_of
from ruledout.agents.settings.entries import PROJECT, USER
from ruledout.errors import RuledoutError
from ruledout.flows.install import Asked, Target, decoded, pointer, target
from ruledout.writes import Files, Machine, Replayed, Row

OK, NOTE, WRONG = "ok", "note", "wrong"


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that was looked at: `ok`, a `note`, or `wrong` with the mend."""

    about: str
    level: str
    message: str
    mend: str = ""


class Installed(Struct, frozen=True, kw_only=True):
    """One agent in one scope: how many of its entries are there, and how its command did."""

    agent: str
    title: str
    scope: str
    path: str
    entries: int
    of: int
    replay: Replayed | None = None


class Diagnosis(Struct, frozen=True, kw_only=True):
    """All of it; `sound` where nothing is wrong."""

    sound: bool
    installed: tuple[Installed, ...]
    findings: tuple[Finding, ...]
    machine: Machine


Try = Callable[[str, str], Replayed]


def diagnose(files: Files, asked: Asked, front: str, machine: Machine, replay: Try | None) -> Diagnosis:
    """Look at both scopes. `replay` None: the command cannot be tried on this platform."""
    findings: list[Finding] = []
    rows = _rows(files, findings)
    installed = tuple(one for found in _targets(files, asked, rows) if (one := _look(files, found, rows, findings, replay)))
    findings += _double(installed)
    findings += _front(files, front, installed)
    findings += _machine(machine)
    if not installed:
        findings.append(Finding(about="agents", level=NOTE, message="the hook is in no agent's settings", mend="`ruledout init` puts it there"))
    return Diagnosis(sound=all(one.level != WRONG for one in findings), installed=installed, findings=tuple(findings), machine=machine)


def _rows(files: Files, findings: list[Finding]) -> tuple[Row, ...]:
    try:
        return files.rows()
    except RuledoutError as error:
        findings.append(Finding(about="manifest", level=WRONG, message=error.message, mend=error.mend))
        return ()


def _targets(files: Files, asked: Asked, rows: Sequence[Row]) -> Iterator[Target]:
    """Every agent's file of the user and of this project, and of other projects that the manifest names."""
    for setup in entries.SETUPS.values():
        elsewhere = {row.path.removesuffix(f"/{setup.project_file}") for row in rows if row.agent == setup.agent and row.scope == PROJECT}
        for project in [None, *([asked.project] if asked.project else []), *sorted(elsewhere - {asked.project})]:
            yield target(files, setup, project, windows=asked.windows)


def _look(files: Files, one: Target, rows: Sequence[Row], findings: list[Finding], replay: Try | None) -> Installed | None:
    """One file; None where nothing of ours is in it, nor should be."""
    about = f"{one.setup.title}, {one.scope}"
    recorded = any(row.path == one.path for row in rows)
    try:
        data = files.read(one.path)
        text = decoded(data or b"")
        lacking = [want for want in syntax_of(one.syntax).missing(text, one.wants) if want.command]
    except RuledoutError as error:
        findings.append(Finding(about=about, level=WRONG if recorded else NOTE, message=f"{one.path}: {error.message}", mend=error.mend))
        return None
    wanted = [want for want in one.wants if want.command]
    if len(lacking) == len(wanted) and not recorded:
        return None
    if lacking:
        gone = ", ".join(pointer(want) for want in lacking)
        mend = "`ruledout init` puts them back, `ruledout uninstall` strikes them out"
        findings.append(Finding(about=about, level=WRONG, message=f"entries are gone from {one.path}: {gone}", mend=mend))
    tried = replay(one.setup.agent, _called(one, files.shim())) if replay and len(lacking) < len(wanted) else None
    findings += [*_answered(about, tried), *_switched(about, one, text)]
    if one.setup.trust:
        findings.append(Finding(about=about, level=NOTE, message=one.setup.trust))
    return Installed(
        agent=one.setup.agent, title=one.setup.title, scope=one.scope, path=one.path, entries=len(wanted) - len(lacking), of=len(wanted), replay=tried
    )


def _called(one: Target, shim: str) -> str:
    """The command as the agent starts it; opencode's plug-in starts the front itself."""
    return entries.command("opencode", USER, shim) if one.setup.shape == "plugin" else one.command


def _answered(about: str, tried: Replayed | None) -> Iterator[Finding]:
    if tried is None:
        return
    if not tried.spoke:
        yield Finding(about=about, level=WRONG, message="its command says nothing of an edit that is known to fail", mend="`ruledout init` lays its front anew")
    if not tried.silent:
        yield Finding(
            about=about, level=WRONG, message="its command speaks of an edit that nothing is known of", mend="report it, with `ruledout doctor --json`"
        )


def _switched(about: str, one: Target, text: str) -> Iterator[Finding]:
    """Has the agent been told to run no hooks at all."""
    if one.setup.agent == "claude" and '"disableAllHooks"' in text and json.loads(text.removeprefix("\ufeff")).get("disableAllHooks") is True:
        yield Finding(about=about, level=WRONG, message=f"{one.path} has disableAllHooks: no hook is run", mend="take disableAllHooks out")


def _double(installed: Sequence[Installed]) -> Iterator[Finding]:
    users = {one.agent for one in installed if one.scope == USER}
    for one in installed:
        if one.scope == PROJECT and one.agent in users:
            message = f"it is installed twice, for you and in {one.path}: every event is asked twice"
            yield Finding(about=one.title, level=WRONG, message=message, mend=f"`ruledout uninstall --agent {one.agent} --user`, or the same with --project")
    if {"claude", "cursor"} <= users:
        yield Finding(about="Cursor", level=NOTE, message="it also reads Claude Code's settings and may ask twice; what is said is said once a session")


def _front(files: Files, front: str, installed: Sequence[Installed]) -> Iterator[Finding]:
    """The program that the entries name: there, of this version, with an interpreter that is there."""
    if not any(one.scope == USER for one in installed):
        return
    path = files.shim()
    try:
        text = decoded(files.read(path) or b"")
    except RuledoutError as error:
        yield Finding(about="front", level=WRONG, message=error.message, mend=error.mend)
        return
    python = next((line.partition("=")[2].strip(" '") for line in text.splitlines() if line.lstrip("$ ").startswith("python")), "")
    if not text:
        yield Finding(about="front", level=WRONG, message=f"{path} is gone: the hook says nothing", mend="`ruledout init` lays it anew")
    elif not files.there(python):
        yield Finding(about="front", level=WRONG, message=f"{path} names an interpreter that is gone: {python}", mend="`ruledout init` lays it anew")
    elif text != front:
        yield Finding(about="front", level=NOTE, message=f"{path} is of another version or installation", mend="`ruledout init` lays it anew")
    else:
        yield Finding(about="front", level=OK, message=path)


def _machine(machine: Machine) -> Iterator[Finding]:
    library = machine.library
    sound = library.wal_sound or library.journal != "wal"
    message = f"SQLite {library.sqlite}, journal {library.journal or 'none yet'}{'' if library.wal_sound else '; its write-ahead log can lose a write'}"
    yield Finding(
        about="library", level=OK if sound else WRONG, message=message, mend="" if sound else "use a later SQLite, or open the store with ruledout alone"
    )
    if library.remote:
        message = f"{machine.store} lies on {library.remote}, where locks cannot be relied on"
        yield Finding(about="store", level=WRONG, message=message, mend="keep the repository on a disk of this machine")
    if machine.fault:
        yield Finding(about="store", level=WRONG, message=machine.fault, mend="`ruledout audit` says more; restore the file from a backup if it is damaged")
    elif machine.records is None:
        yield Finding(about="store", level=OK, message="no records are kept here yet")
    else:
        yield Finding(about="store", level=OK, message=f"{machine.store} can be read: {machine.records} records (`ruledout audit` checks every digest)")
    weak = machine.isolation == "work_tree"
    message = f"runs of a gate get {machine.isolation}" + ("; they see this machine's files and network" if weak else "")
    yield Finding(about="isolation", level=NOTE if weak else OK, message=message, mend="install bubblewrap for more" if weak else "")
