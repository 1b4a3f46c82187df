"""Before an act: is this edit, or this command, one that is known to fail; does it take out what was proved to be needed. Exact matches alone speak.

Order of trust: this session's own failures, then the records of this repository.
"""

from ruledout import fingerprint, hot
from ruledout.act import edits, place
from ruledout.act.memory import Memory
from ruledout.act.speech import Speech
from ruledout.agents.event import WRITE, Change, Event, rows

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Asked:
    """A change with what is known of its file: the names that records may have for it, its text now and afterwards, and the keys of the change."""

    __slots__ = ("after", "change", "current", "keys", "names", "path")

    def __init__(self, change: Change, at: place.Place, cwd: str, texts: "dict[str, str]") -> None:
        """Look at the file. `texts` are the files as earlier changes of the same call left them."""
        self.change = change
        self.path = place.absolute(change.path, cwd)
        self.names = at.names(change.path, cwd)
        held = texts.get(self.path)
        self.current = held if held is not None else _text(self.path)
        self.after = edits.produced(self.current, change)
        if self.after is not None:
            texts[self.path] = self.after
        self.keys = edits.keys(change, self.names, self.current)


def judge(event: Event, at: place.Place, index: hot.Hot, memory: Memory, now: float) -> "Iterator[Speech]":
    """What bears on the act, the most trusted first."""
    if event.command:
        yield from _command(event, at, memory, now)
    if event.changes:
        texts: dict[str, str] = {}
        asked = [Asked(change, at, event.cwd or at.root, texts) for change in event.changes]
        yield from _again(asked, memory)
        yield from _edit(asked, index, memory, at.head()[0])
        yield from (speech for one in asked for speech in _guard(one, index))


def act_key(event: Event) -> str:
    """One key for what the event does, to know it again when it is done."""
    if event.command:
        return fingerprint.command(event.command)
    made = [fingerprint.edit(change.path, rows(change.old), rows(change.new)) for change in event.changes]
    return "+".join(made[:4]) or event.tool


def _command(event: Event, at: place.Place, memory: Memory, now: float) -> "Iterator[Speech]":
    """The same command that failed in this session, with nothing changed since. The first run in a session is never a repeat."""
    key = fingerprint.command(event.command)
    failed = memory.tables["fails"].get(key)
    if failed is None:
        return
    from ruledout.act.unchanged import unchanged  # only those pay for it who run a command again

    when, size, said = failed.split("\t", 2)
    if unchanged(at.root, float(when), event, int(size), now):
        yield Speech("command", f"session/{key}/{when}", said, key, exact=True)


def _edit(asked: "Sequence[Asked]", index: hot.Hot, memory: Memory, commit: str) -> "Iterator[Speech]":
    """The same edit as a dead end; the last of several hunks that were made one by one; the same state of the file, however it is expressed."""
    pieces = [one.keys for one in asked]
    known = [item for one in asked for name in one.names for item in index.of_file(name)]
    if known and not any(index.items(key) for piece in pieces for key in piece):
        safe = [one.keys | edits.keys(one.change, one.names, one.current, safe=True) for one in asked]
        pieces = safe if safe != pieces else pieces
    hits = hot.edits(index, pieces, commit)
    right = {key for piece in pieces for key in piece if index.proved(key)}
    hits += [_last(hit, pieces, memory, commit) for hit in hits if hit.level == hot.PART]
    if not right:  # R4: what proved right elsewhere is no dead end, under whatever key
        dead = [item for item in known if not all(index.proved(key) for key in item.made)]
        hits += [_same_state(item, commit) for one in asked for item in dead if _state(one, item)]
    _remember(asked, pieces, index, memory, known=bool(known))
    for hit in sorted(hits, key=lambda hit: hit.item.grade != "witnessed"):
        if hit.verdict in (hot.RULED_OUT, hot.REOPENED):
            said = hit.item.moved if hit.verdict == hot.REOPENED else hit.item.said
            yield Speech("edit", hit.item.id, said, "", exact=hit.verdict == hot.RULED_OUT)


def _last(hit: hot.Hit, pieces: "Sequence[frozenset[str]]", memory: Memory, commit: str) -> hot.Hit:
    """Is this the last hunk of an attempt whose others this session made already, and nothing else in its files."""
    made = frozenset().union(*pieces, memory.lists["seen"])
    whole = hit.item.made <= made and all(piece & hit.item.made for piece in pieces)
    clean = not any(path in memory.lists["other"] for path in hit.item.files)
    return _same_state(hit.item, commit) if whole and clean else hit


def _same_state(item: hot.Item, commit: str) -> hot.Hit:
    moved = bool(item.standing) or hot.differs(item.commit, commit)
    return hot.Hit(hot.REOPENED if moved else hot.RULED_OUT, hot.EDIT, item)


def _state(one: Asked, item: hot.Item) -> bool:
    return one.current is not None and one.after is not None and edits.comes_to(item, one.names, one.current, one.after)


def _remember(asked: "Sequence[Asked]", pieces: "Sequence[frozenset[str]]", index: hot.Hot, memory: Memory, *, known: bool) -> None:
    """Keep which hunks of known dead ends this session made, and which files got others."""
    for one, piece in zip(asked, pieces, strict=True):
        back = edits.inverse(one.change, one.names)
        held = [key for key in piece if index.items(key)]
        undone = [key for key in memory.lists["seen"] if key in back]
        memory.lists["seen"] = [key for key in memory.lists["seen"] if key not in back]
        memory.add("seen", *held)
        if known and not held and not undone:
            memory.add("other", *one.names)


def _again(asked: "Sequence[Asked]", memory: Memory) -> "Iterator[Speech]":
    """An edit that this session made before, taken back, and would make again to the very state that failed (R4: a state, no idea)."""
    made = memory.lists["made"]  # in the order in which each was first made
    for one in asked:
        back = edits.inverse(one.change, one.names)
        began = next((key for key in made if key in one.keys or key in back), None)
        if one.after is None or one.current in (None, one.after) or one.path not in memory.lists["files"]:
            continue
        if began not in one.keys:  # never made, or made first as a way back
            continue
        texts = {path: one.after if path == one.path else _text(path) or "" for path in memory.lists["files"]}
        if said := memory.tables["states"].get(edits.state(texts)):
            yield Speech("edit", f"session/{edits.state(texts)}", said, "", exact=True)


def _guard(one: Asked, index: hot.Hot) -> "Iterator[Speech]":
    """A change that takes out a line that is guarded."""
    if one.change.kind == WRITE and one.current is None:
        return
    before = _lines(one.current if one.current is not None and one.after is not None else one.change.old)
    after = _lines(one.after if one.after is not None else one.change.new)
    for name in one.names:
        for guard in index.guards(name):
            if before.issuperset(guard.lines) and not after.issuperset(guard.lines):
                yield Speech("guard", guard.id, guard.said, "")


def _lines(text: str) -> "frozenset[str]":
    return frozenset(line.strip() for line in text.splitlines())


def _text(path: str) -> "str | None":
    data = place.read(path, place.MOST)
    return None if data is None else data.decode("utf-8", "replace")
