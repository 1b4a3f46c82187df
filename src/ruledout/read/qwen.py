"""Qwen Code's chat records: JSON Lines with an envelope like Claude Code's around messages like Gemini's.

A ref is the function call's id, else `line:N`. Records form a tree by `parentUuid`; what is not on the way to the last one was rewound. An exit status stands
in the lines that the shell tool puts around its output.
"""

from typing import Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import gemini, loose, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "qwen-code"


class _Message(Struct):
    parts: Any = None


class _Outcome(Struct):
    callId: Any = None  # noqa: N815  # the file's spelling
    status: Any = None
    resultDisplay: Any = None  # noqa: N815  # the file's spelling


class _Record(Struct):
    type: Any = None
    uuid: Any = None
    parentUuid: Any = None  # noqa: N815  # the file's spelling
    sessionId: Any = None  # noqa: N815  # the file's spelling
    cwd: Any = None
    version: Any = None
    subtype: Any = None
    message: _Message | None = None
    toolCallResult: _Outcome | None = None  # noqa: N815  # the file's spelling


def claims(head: bytes) -> bool:
    """Records with a session's id around messages made of parts."""
    ways = loose.outline(head)
    return {"type", "sessionId", "message.parts"} <= ways and "messages" not in ways


def read(raw: bytes) -> Transcript:
    """Read a chat. Raises BadInput when no record can be read."""
    out = Assembler(NAME)
    records: list[tuple[str, _Record]] = []
    for line, (_, part) in objects(raw, loose.record, out.skip):
        record = loose.decode(part, _Record)
        if record is None or not loose.text(record.type):
            out.skip("record of an unknown type", f"line:{line}")
        else:
            records.append((f"line:{line}", record))
    if not records:
        raise BadInput("broken-session", "no line of the qwen-code session can be read", "give the whole session file")
    live = _live([record for _, record in records])
    walk = _Walk(out)
    for ref, record in records:
        walk.take(ref, record, Track.LIVE if live is None or loose.text(record.uuid) in live else Track.REWOUND)
    return out.finish(agent=NAME, version=_first(records, "version"), session=_first(records, "sessionId"), cwd=_first(records, "cwd"))


def _first(records: list[tuple[str, _Record]], field: str) -> str | None:
    return next((said for _, record in records if (said := loose.text(getattr(record, field)))), None)


def _live(records: list[_Record]) -> set[str] | None:
    """The ids on the way from the last record back to the first; None where the records form no tree."""
    parents = {loose.text(record.uuid): loose.text(record.parentUuid) for record in records if record.uuid}
    if len(parents) < len(records) or not any(parents.values()):
        return None
    live: set[str] = set()
    at = loose.text(records[-1].uuid)
    while at and at not in live:
        live.add(at)
        at = parents.get(at, "")
    return live


class _Walk:
    """Goes through the records; a tool's result is a record of its own."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.names: dict[str, str] = {}

    def take(self, ref: str, record: _Record, track: Track) -> None:
        """The next record."""
        kind = loose.text(record.type)
        listed = record.message.parts if record.message else None
        parts = [loose.mapping(part) for part in (listed if isinstance(listed, list) else ())]
        if kind == "user":
            self._said(Role.USER, ref, parts, track)
        elif kind == "assistant":
            self._said(Role.ASSISTANT, ref, parts, track)
            for call in (loose.mapping(part.get("functionCall")) for part in parts if "functionCall" in part):
                self._call(loose.text(call.get("id")) or ref, call, track)
        elif kind == "tool_result":
            self._result(ref, parts, record.toolCallResult or _Outcome())
        else:
            self.out.skip(f"not a turn: {kind[:40]}", ref)

    def _said(self, role: Role, ref: str, parts: list[dict[str, Any]], track: Track) -> None:
        for part in parts:
            if (said := loose.text(part.get("text"))).strip():
                self.out.say(role, said, ref, track)

    def _call(self, ref: str, call: dict[str, Any], track: Track) -> None:
        name, given = loose.text(call.get("name")), loose.mapping(call.get("args"))
        self.names[ref] = name
        folder = loose.text(given.get("directory")) if tools.is_run(name) else ""
        self.out.call(ref, name, given, cwd=folder or None, track=track)

    def _result(self, line: str, parts: list[dict[str, Any]], outcome: _Outcome) -> None:
        responses = [loose.mapping(part.get("functionResponse")) for part in parts if "functionResponse" in part] or [{}]
        for response in responses:
            ref = loose.text(response.get("id")) or loose.text(outcome.callId) or line
            told = loose.mapping(response.get("response"))
            said = loose.text(told.get("output")) or loose.text(told.get("error")) or loose.text(outcome.resultDisplay)
            if outcome.status == "cancelled":
                self.out.result(ref, said, ending=Ending.REFUSED if "user" in said[:200].lower() or not said else Ending.INTERRUPTED)
            elif tools.is_run(self.names.get(ref, "")):
                known = gemini.shell_told(said)
                unsure = outcome.status == "error" and known.get("exit") == 0 and "Exit Code: 0" not in said
                self.out.result(ref, said, **({} if unsure else known))
            else:
                self.out.result(ref, said, ending=Ending.MALFORMED if outcome.status == "error" or "error" in told else Ending.DONE)
