"""OpenCode's exported sessions (`opencode export`): `info` and `messages`, each of an `info` and `parts`.

A ref is the call's `callID`, else the part's own id where the same `callID` stands twice; for what is said, `step:N`, the index into `messages`.
A status of `completed` says only that the tool ran; the exit status of a command is in the metadata.
"""

from typing import Any

from msgspec import Struct

from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import loose, tools
from ruledout.read.assemble import Assembler

NAME = "opencode"


class _Before(Struct):
    before: Any = None


class _Metadata(Struct):
    exit: Any = None
    filediff: _Before | None = None


class _State(Struct):
    status: Any = None
    input: Any = None
    output: Any = None
    error: Any = None
    metadata: _Metadata | None = None


class _Part(Struct):
    type: Any = None
    id: Any = None
    text: Any = None
    synthetic: Any = None
    tool: Any = None
    callID: Any = None  # noqa: N815  # the file's spelling
    state: _State | None = None


class _Path(Struct):
    cwd: Any = None


class _Info(Struct):
    id: Any = None
    role: Any = None
    summary: Any = None
    path: _Path | None = None
    error: Any = None


class _Revert(Struct):
    messageID: Any = None  # noqa: N815  # the file's spelling


class _Session(Struct):
    id: Any = None
    directory: Any = None
    version: Any = None
    revert: _Revert | None = None


def claims(head: bytes) -> bool:
    """An object of a session's `info` and of `messages` with `info` and `parts`."""
    ways = loose.outline(head)
    return {"info.id", "info.directory"} <= ways and ("messages[].info" in ways or "info.projectID" in ways)


def read(raw: bytes) -> Transcript:
    """Read an export. Raises BadInput when nothing can be read."""
    document = loose.document(raw, NAME)
    session = loose.decode(document.members.get("info", b"{}"), _Session) or _Session()
    walk = _Walk(Assembler(NAME), loose.text(session.revert.messageID) if session.revert else "")
    for index, part in enumerate(document.items("messages")):
        walk.take(f"step:{index}", part)
    if document.torn is not None:
        walk.out.skip("torn document", f"byte:{document.torn}")
    return walk.out.finish(
        agent=NAME,
        version=loose.text(session.version) or None,
        session=loose.text(session.id) or None,
        cwd=loose.text(session.directory) or None,
        final_patch=walk.patches[0] if len(walk.patches) == 1 else None,
    )


class _Walk:
    """Goes through the messages; from the one that was reverted on, all stands on the abandoned track."""

    def __init__(self, out: Assembler, reverted: str) -> None:
        self.out = out
        self.reverted = reverted
        self.track = Track.LIVE
        self.seen: set[str] = set()
        self.patches: list[str] = []

    def take(self, ref: str, raw: loose.Piece) -> None:
        """The next message."""
        message = loose.members(raw)
        info = loose.decode(message.get("info", b""), _Info)
        if info is None:
            self.out.skip("not a message", ref)
            return
        if self.reverted and loose.text(info.id) == self.reverted:
            self.track = Track.REWOUND
        role = loose.text(info.role)
        if role == "user" and (patch := _diffs(info.summary)):
            self.patches.append(patch)
        cwd = loose.text(info.path.cwd) if info.path else ""
        for part in loose.array(message.get("parts", b"")):
            self._part(ref, Role.NOTE if info.summary is True else Role.ASSISTANT if role == "assistant" else Role.USER, cwd, part)

    def _part(self, ref: str, speaker: Role, cwd: str, raw: loose.Piece) -> None:
        part = loose.decode(raw, _Part)
        if part is None:
            self.out.skip("part of an unknown shape", ref)
        elif part.type == "tool":
            self._tool(ref, part, cwd)
        elif part.type in ("text", "reasoning") and (said := loose.text(part.text)).strip():
            self.out.say(Role.NOTE if part.synthetic is True else speaker, said, ref, self.track)

    def _tool(self, step: str, part: _Part, cwd: str) -> None:
        ref = loose.text(part.callID) or step
        if ref in self.seen:
            ref = loose.text(part.id) or step
        self.seen.add(ref)
        state = part.state or _State()
        given = loose.mapping(state.input)
        name = loose.text(part.tool)
        self.out.call(ref, name, given or state.input, cwd=loose.text(given.get("workdir")) or cwd or None, track=self.track)
        metadata = state.metadata or _Metadata()
        if state.status == "completed":
            original = loose.text(metadata.filediff.before) if metadata.filediff else ""
            self.out.result(ref, loose.text(state.output), exit=loose.integer(metadata.exit), original=original or None)
        elif state.status == "error":
            told = loose.text(state.error) or loose.text(state.output)
            self.out.result(ref, told, ending=_failed(name, told), exit=loose.integer(metadata.exit))


def _failed(name: str, told: str) -> Ending:
    """How a call ended whose tool reported an error."""
    if "rejected permission" in told or "user dismissed" in told.lower() or "specified a rule which prevents" in told:
        return Ending.REFUSED
    if told.startswith("Tool execution aborted"):
        return Ending.INTERRUPTED
    if "timed out" in told[:200] or "exceeded timeout" in told[:200]:
        return Ending.TIMED_OUT
    return Ending.DONE if tools.is_run(name) else Ending.MALFORMED


def _diffs(summary: object) -> str:
    """What a user's turn changed, as the session's own snapshots tell it."""
    diffs = loose.mapping(summary).get("diffs")
    return "\n".join(patch.rstrip("\n") for diff in (diffs if isinstance(diffs, list) else ()) if (patch := loose.text(loose.mapping(diff).get("patch"))))
