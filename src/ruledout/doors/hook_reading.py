"""The hook's door after a run: reads what it came to, and says what is known of its failure. Loads the readers of outputs; no store, no flow.

Any other event is answered as `doors.hook` does. What failed is remembered for this session: the command, and the state of the files that it edited.
"""

import os
import sys

if __name__ == "__main__":  # as in `doors.hook`
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))  # noqa: PTH100, PTH120  # pathlib takes 3 ms

from ruledout import fingerprint, hot
from ruledout.act import before, edits, place, unchanged
from ruledout.act.speech import Speech
from ruledout.agents import event as ev
from ruledout.doors import hook

TYPE_CHECKING = False  # the checker takes this name for true; `collections` is loaded late
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruledout.model.outcome import Outcome

SIGNS = ("Traceback (most recent call last)", "FAILED", "AssertionError", "panicked at", "error[", "npm ERR!", "--- FAIL", "Error: ", "error: ", " failed")
"""Words of which one stands in an output that tells of a failure; the front knows them too."""
_WRITES = ("<<", "sed ", "perl ", "patch", "git apply", "tee ", ">")
_PASSING = ("timeout", "timed out", "connection", "network", "resolve host", "name resolution", "temporar", "flaky")
"""Words of failures that may pass by themselves."""
_LONGEST = 200_000


def answer(it: hook.Scene) -> str:
    """What is said after an act, or as `doors.hook` says it."""
    if it.event.kind == ev.BEFORE and any(sign in it.event.command for sign in _WRITES):
        it.event.changes = tuple(_by_shell(it.event.command))
    if it.event.kind != ev.AFTER:
        return hook.answer(it)
    act = before.act_key(it.event)
    held = it.memory.tables["held"]
    line = it.agent.say(it.event, held["text"]) if held.get("act") == act else ""
    if held.get("act") == act:
        it.memory.tables["held"] = {}
    hook.settle(it, act, after=True)
    failed = _failed(it) if it.event.command else None
    if failed is None:
        return line
    said = next((one for one in _known(it, failed)), None)
    _remember(it, failed)
    return line or hook.tell(it, said)


def _by_shell(line: str) -> "Iterator[ev.Change]":
    """The edits that a command line makes by itself: here-documents, `sed -i`, patches. It is read as text, never run."""
    from ruledout.model.action import EditKind
    from ruledout.read import shell

    for change in shell.edits(line):
        for hunk in change.hunks if change.path != "*" else ():
            kind = ev.WRITE if change.kind is EditKind.WRITE else ev.INSERT if change.kind is EditKind.APPEND else ev.REPLACE
            yield ev.Change(change.path, kind, "\n".join(hunk.removed), "\n".join(hunk.added))


def _failed(it: hook.Scene) -> "Outcome | None":
    """The reading of a run that failed; None for one that did not, or where it cannot be told."""
    event = it.event
    if event.exit == 0 and not event.failed and not any(sign in event.output for sign in SIGNS):
        it.memory.tables["fails"].pop(fingerprint.command(event.command), None)
        return None
    from ruledout.model.outcome import Result
    from ruledout.observe.outcome import observe
    from ruledout.text import head_tail

    seen = observe(event.command, head_tail(event.output, _LONGEST), event.exit)
    if seen.result is Result.PASS:
        it.memory.tables["fails"].pop(fingerprint.command(event.command), None)
    return seen if seen.result is Result.FAIL and seen.signature else None


def _known(it: hook.Scene, failed: "Outcome") -> "Iterator[Speech]":
    """What is known of this failure: the same under the same command, the same that was cured, then what is near; that only where it was witnessed (R13)."""
    signature = failed.signature
    if signature is None:
        return
    commit = it.at.head()[0]
    act = fingerprint.command(it.event.command)
    hits = hot.failure(it.index, signature.normalised, act, commit)
    for hit in sorted(hits, key=lambda hit: hit.item.grade != "witnessed"):
        if hit.verdict in (hot.RULED_OUT, hot.REOPENED):
            yield Speech("failure", hit.item.id, hit.item.moved if hit.verdict == hot.REOPENED else hit.item.said, act)
    for item in it.index.items(signature.normalised):
        if not item.branch:
            yield Speech("failure", item.id, item.said, act)
    for item in it.index.items(signature.coarse):
        if not item.branch and item.grade == "witnessed":
            yield Speech("failure", item.id, item.moved, act)


def _definite(failed: "Outcome") -> bool:
    """Would the same run fail the same way again: not where time or a network had a part in it."""
    from ruledout.model.outcome import Kind, Signal

    told = f"{failed.error_class} {failed.message}".lower()
    return failed.signal is Signal.YES and failed.kind is not Kind.TIMEOUT and not any(word in told for word in _PASSING)


def _remember(it: hook.Scene, failed: "Outcome") -> None:
    """Keep that this command failed, and in which state of the session's files, where the failure is a definite one (R4)."""
    from ruledout.recall.say import line, listed
    from ruledout.text import quote_block

    _follow(it)
    if not _definite(failed):
        return
    told = f"{line(failed.error_class or failed.kind.value)}{f', failing {listed(failed.failing, 1)}' if failed.failing else ''}"
    again = quote_block(
        f"nothing changed since this command failed in this session\ncame to: {told}\ninstead: change something first, or look at the failure", "this session"
    )
    same = quote_block(f"this edit was made in this session, failed, and was taken back\ncame to: {told}\nthe files would be as they were then", "this session")
    key = fingerprint.command(it.event.command)
    it.memory.tables["fails"] = dict([*it.memory.tables["fails"].items(), (key, f"{it.now}\t{unchanged.size(it.event)}\t{again}")][-20:])
    files = it.memory.lists["files"]
    if files:
        texts = {path: (place.read(path, place.MOST) or b"").decode("utf-8", "replace") for path in files}
        it.memory.tables["states"] = dict([*it.memory.tables["states"].items(), (edits.state(texts), same)][-20:])
    it.memory.add("words", *hook.listened(it.event), *(path.rpartition("/")[2] for path in files))


def _follow(it: hook.Scene) -> None:
    """The edits that the session's own file shows since it was last looked at, 256 KB at most; a longer piece is passed over."""
    found = unchanged.increment(it.event.transcript, it.memory.offset)
    if found is None:
        it.memory.offset = unchanged.size(it.event)
        return
    values, it.memory.offset = found
    for name, given in unchanged.calls(values):
        seen = ev.Event(ev.BEFORE, "", {"cwd": it.event.cwd})
        seen.act(name, given)
        for change in seen.changes:
            names = it.at.names(change.path, it.event.cwd)
            it.memory.add("made", *(key for key in sorted(edits.keys(change, names, None)) if key not in it.memory.lists["made"]))
            it.memory.add("files", place.absolute(change.path, it.event.cwd))


if __name__ == "__main__":
    hook.main(answer)
