"""The hook's door before an act: one JSON object in, at most one line out, always exit 0 (R15). Loads a handful of modules: no model, store, flow or `re`.

Run as a script by the front with the bare interpreter, or in process by `ruledout hook`. What a run came to is read by `doors.hook_reading`.
"""

# ruff: noqa: PTH100, PTH120  # pathlib would cost a hook its start-up

import gc
import os
import sys

if __name__ == "__main__":  # the bare interpreter knows no site-packages: this file tells where the package is
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import time

from ruledout import agents
from ruledout.act import before, place, speech
from ruledout.act.memory import Memory
from ruledout.agents import event as ev
from ruledout.plainjson import dumps, first

TYPE_CHECKING = False  # the checker takes this name for true; `collections` would take half of a hook's time
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PATIENCE = 1.0
"""seconds that standard input is waited for"""
MOST = 8_000_000
"""bytes of an event that is looked at; of a longer one nothing is"""


class Scene:
    """What every answer needs: the agent, the event, the place with its index, the session's memory, the user's folder and settings, and the clock."""

    __slots__ = ("agent", "at", "env", "event", "folder", "index", "memory", "now")

    def __init__(self, agent: "agents.Agent", event: ev.Event, at: place.Place, env: "Mapping[str, str]") -> None:
        """Look up what is there."""
        self.agent, self.event, self.at = agent, event, at
        self.folder = place.state(env)
        self.index = at.hot()
        self.now = time.time()
        self.memory = Memory(self.folder, event.session or f"{at.root} {int(self.now) // 3600}")  # who names no session is remembered for an hour
        self.env = env


Answer = "Callable[[Scene], str]"


def scene(name: str, raw: bytes, env: "Mapping[str, str]") -> "Scene | None":
    """The event in its place, or None where there is nothing to look at."""
    agent = agents.agent(name)
    found = first(raw.decode("utf-8", "replace")) if agent and len(raw) <= MOST else None
    given = found[0] if found else None
    if agent is None or not isinstance(given, dict):
        return None
    event = agent.read(given)
    at = _place(event)
    return Scene(agent, event, at, env) if at else None


def _place(event: ev.Event) -> "place.Place | None":
    """The repository of the file that is edited, else of the folder that the session works in."""
    for change in event.changes[:1]:
        if found := place.of(os.path.dirname(place.absolute(change.path, event.cwd))):
            return found
    return place.of(event.cwd)


def answer(it: Scene) -> str:
    """What is said at events that need no reading of an output."""
    kind = it.event.kind
    if kind == ev.BEFORE:
        return _before(it)
    if kind == ev.COMPACT:
        it.memory.lists["said"] = []  # what was told before is gone with the compaction
    if kind == ev.START:
        said = it.index.handoff(it.at.head()[1])
        return tell(it, speech.Speech("handoff", f"handoff/{it.at.head()[1]}", said, "") if said else None)
    return ""


def _before(it: Scene) -> str:
    act = before.act_key(it.event)
    settle(it, act, after=False)
    found: speech.Speech | None = None
    for one in before.judge(it.event, it.at, it.index, it.memory, it.now):
        if one.exact and (stop := _stopped(it, one)):
            return stop
        found = found or speech.allowed(it.memory, it.folder, it.at.root, one)
    if found is None:
        return ""
    it.memory.tables["pending"]["act"] = act
    if not it.agent.EARLY:  # it cannot be told before the act without being stopped: right after it then
        it.memory.tables["held"] = {"act": act, "text": found.text}
        it.memory.add("words", *listened(it.event))
        speech.note(it.at.folder, "shown", it.memory.tables["pending"], int(it.now))
        return ""
    return tell(it, found, told=True)


def _stopped(it: Scene, one: speech.Speech) -> str:
    """The act stopped, where the user asked for that. The second try always passes."""
    if one.id in it.memory.lists["passed"] or not place.blocking(it.env) or speech.muted(it.folder, it.at.root, one):
        return ""
    stop = it.agent.deny(it.event, one.text)
    it.memory.add("passed", one.id)
    speech.note(it.at.folder, "blocked", {"id": one.id, "rule": one.rule}, int(it.now))
    return stop


def tell(it: Scene, what: "speech.Speech | None", *, told: bool = False) -> str:
    """Say it in the agent's dialect, once."""
    what = what if told else speech.allowed(it.memory, it.folder, it.at.root, what)
    line = it.agent.say(it.event, what.text) if what else ""
    if what and line:
        it.memory.add("words", "PreCompact", "preCompact", "session.compacted")
        speech.note(it.at.folder, "shown", {"id": what.id, "rule": what.rule}, int(it.now))
    return line


def settle(it: Scene, act: str, *, after: bool) -> None:
    """Write down what became of what was said last."""
    became = speech.settled(it.memory, act, after=after)
    if became:
        speech.note(it.at.folder, became, it.memory.tables["pending"], int(it.now))
        it.memory.tables["pending"] = {}


def listened(event: ev.Event) -> "list[str]":
    """Plain pieces of the event by which the front knows it again: the start of the command, the names of the files."""
    names = [change.path.replace("\\", "/").rpartition("/")[2] for change in event.changes]
    line = dumps(event.command)[1:-1].partition("\\")[0][:60] if event.command else ""
    return [word for word in (*names, line) if len(word) > 2]


def attended(name: str, raw: bytes, env: "Mapping[str, str]", how: "Callable[[Scene], str]") -> str:
    """One event answered, the session's memory kept. Whatever goes wrong is silence (R15): what cannot be remembered would be said again."""
    try:
        it = scene(name, raw, env)
        line = how(it) if it else ""
        if it:
            it.memory.save(it.now)
    except Exception:  # noqa: BLE001  # a hook fails open, whatever it is that failed
        return ""
    return line


def standard_input() -> bytes:
    """What stands on standard input, up to its end or the first whole JSON object, for at most one second. Past 8 MB it is read and let go."""
    parts: list[bytes] = []
    size, deadline = 0, time.monotonic() + PATIENCE
    while _ready(deadline) and (data := os.read(0, 1 << 20)):
        size += len(data)
        if size <= MOST + 1:
            parts.append(data)
            if data.rstrip().endswith(b"}") and not _ready(0) and first(b"".join(parts).decode("utf-8", "replace")):
                break
    return b"".join(parts) if size <= MOST else b""


def _ready(deadline: float) -> bool:
    """Is there something to read before the deadline. Windows cannot wait for a pipe: there the read itself waits."""
    if sys.platform == "win32":
        return deadline > 0
    from select import select

    return bool(select([0], [], [], max(0.0, deadline - time.monotonic()) if deadline else 0)[0])


def main(how: "Callable[[Scene], str]" = answer, names: "list[str] | None" = None) -> int:
    """Answer the event on standard input. Exit 0, always; nothing on standard output when there is nothing to say."""
    gc.disable()  # a short life with hardly a circle in it
    try:
        given = sys.argv[1:] if names is None else names
        line = attended(given[0] if given else "", standard_input(), os.environ, how)
        if line:
            os.write(1, line.encode() + b"\n")
    except (OSError, ValueError):
        return 0
    return 0


if __name__ == "__main__":
    main()
