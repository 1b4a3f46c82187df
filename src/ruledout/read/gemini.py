"""Gemini CLI's chat records: one JSON object, or (2026) JSON Lines of messages with `$set` and `$rewindTo` records.

A ref is the tool call's id, else `step:N`, the index into `messages`; in the line form, `line:N`. A shell call's status is `success` whatever the command's
exit; an exit status other than 0 stands in the output's text, and so 0 is told by its absence.
"""

import re
from typing import Any

import msgspec
from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role, Track
from ruledout.read import loose, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "gemini-cli"

_EXIT = re.compile(r"^Exit Code: (-?\d{1,9}|\(none\))\s*$", re.MULTILINE)
_SIGNAL = re.compile(r"^Signal: (?!\(none\))\S", re.MULTILINE)
_ERROR = re.compile(r"^Error: (?!\(none\))\S", re.MULTILINE)
_FILES = "--- Content from referenced files ---"


class _Diff(Struct):
    originalContent: Any = None  # noqa: N815  # the file's spelling


class _Call(Struct):
    id: Any = None
    name: Any = None
    args: Any = None
    result: Any = None
    status: Any = None
    resultDisplay: Any = None  # noqa: N815  # the file's spelling


class _Message(Struct):
    id: Any = None
    type: Any = None
    content: Any = None
    toolCalls: list[msgspec.Raw] | None = None  # noqa: N815  # the file's spelling
    thoughts: Any = None
    sessionId: Any = None  # noqa: N815  # the file's spelling


def claims(head: bytes) -> bool:
    """A session with a project's hash, or with messages of a `type`; in either form."""
    ways = loose.outline(head)
    if "uuid" in ways or "message.role" in ways or "message" in ways:
        return False
    lined = {"sessionId", "startTime"} <= ways
    return lined and ("projectHash" in ways or "messages[].type" in ways or {"type", "content"} <= ways or "$set.messages" in ways)


def read(raw: bytes) -> Transcript:
    """Read a session. Raises BadInput when nothing can be read."""
    out = Assembler(NAME)
    if loose.lined(raw) is not None:
        head, messages = _lined(raw, out)
    else:
        document = loose.document(raw, NAME)
        if document.torn is not None:
            out.skip("torn document", f"byte:{document.torn}")
        head = document.members
        messages = [(f"step:{index}", part, Track.LIVE) for index, part in enumerate(document.items("messages"))]
    for ref, part, track in messages:
        message = loose.members(part)
        if message:
            _take(out, ref, message, track)
        else:
            out.skip("not a message", ref)
    return out.finish(agent=NAME, session=loose.text(loose.value(head.get("sessionId", b""))) or None)


def _lined(raw: bytes, out: Assembler) -> tuple[dict[str, loose.Piece], list[tuple[str, loose.Piece, Track]]]:
    """The messages of the line form: the last of one id wins, `$set` replaces the list, and what was rewound is kept on its own track."""
    head: dict[str, loose.Piece] = {}
    kept: dict[str, tuple[str, loose.Piece]] = {}
    rewound: list[tuple[str, loose.Piece, Track]] = []
    for line, (record, part) in objects(raw, loose.record, out.skip):
        ref = f"line:{line}"
        name = loose.text(loose.value(record.get("id", b""))) or ref
        if "type" in record:
            kept[name] = (ref, part)
        elif target := loose.text(loose.value(record.get("$rewindTo", b""))):
            names = list(kept)
            late = names[names.index(target) :] if target in kept else []
            rewound.extend((*kept.pop(name), Track.REWOUND) for name in late)
        elif (change := loose.members(record.get("$set", b""))).get("messages"):
            listed = loose.array(change["messages"])
            kept = {f"{ref}/{index}": (ref, one) for index, one in enumerate(listed)}
        elif "sessionId" in record:
            head = record
        elif "$set" not in record:
            out.skip("record of an unknown type", ref)
    if not head and not kept:
        raise BadInput("broken-session", "no line of the gemini-cli session can be read", "give the whole session file")
    return head, rewound + [(*one, Track.LIVE) for one in kept.values()]


def _take(out: Assembler, ref: str, message: dict[str, loose.Piece], track: Track) -> None:
    """One message with its calls; Gemini stores each result in its call."""
    kind = loose.value(message.get("type", b""))
    content = loose.value(message.get("content", b""))
    if kind == "user":
        _user(out, ref, content, track)
    elif kind == "gemini":
        thoughts = loose.value(message.get("thoughts", b""))
        for thought in map(loose.mapping, thoughts if isinstance(thoughts, list) else ()):
            out.say(Role.ASSISTANT, f"{loose.text(thought.get('subject'))}: {loose.text(thought.get('description'))}", ref, track)
        if (said := loose.text(content)).strip():
            out.say(Role.ASSISTANT, said, ref, track)
        for part in loose.array(message.get("toolCalls", b"")):
            call = loose.decode(part, _Call)
            if call is None:
                out.skip("tool call of an unknown shape", ref)
            else:
                _call(out, ref, call, track)
    elif kind in ("info", "error", "warning"):
        out.say(Role.NOTE, loose.text(content), ref, track)
    else:
        out.skip("message of an unknown type", ref)


def _user(out: Assembler, ref: str, content: object, track: Track) -> None:
    """What the user typed; the files that Gemini put in behind it are a note."""
    parts = [loose.text(part) for part in content] if isinstance(content, list) else [loose.text(content)]
    cut = next((index for index, part in enumerate(parts) if part.strip().startswith(_FILES)), len(parts))
    out.say(Role.USER, "\n".join(parts[:cut]), ref, track)
    if cut < len(parts):
        out.say(Role.NOTE, "\n".join(parts[cut:]), ref, track)


def _call(out: Assembler, step: str, call: _Call, track: Track) -> None:
    ref = loose.text(call.id) or step
    name = loose.text(call.name)
    arguments = loose.mapping(call.args)
    out.call(
        ref,
        name,
        arguments or call.args,
        cwd=loose.text(arguments.get("dir_path") or arguments.get("directory")) or None if tools.is_run(name) else None,
        track=track,
    )
    response = _response(call.result)
    said = loose.text(response.get("output")) or loose.text(response.get("error")) or loose.text(call.resultDisplay)
    original = loose.text(loose.mapping(call.resultDisplay).get("originalContent"))
    if call.status == "cancelled":
        out.result(ref, said, ending=Ending.REFUSED if "user" in said[:200].lower() or not said else Ending.INTERRUPTED)
    elif call.status == "error":
        out.result(ref, said, ending=Ending.DONE if tools.is_run(name) else Ending.MALFORMED)
    elif call.status == "success" and tools.is_run(name):
        out.result(ref, said, **shell_told(said))
    elif call.status == "success":
        out.result(ref, said, original=original or None)


def _response(result: object) -> dict[str, Any]:
    """The function's response inside a call's result."""
    parts = result if isinstance(result, list) else [result]
    return next((found for part in parts if (found := loose.mapping(loose.mapping(loose.mapping(part).get("functionResponse")).get("response")))), {})


def shell_told(said: str) -> dict[str, Any]:
    """Exit and ending of a shell command, from the lines that Gemini puts around its output."""
    found = _EXIT.search(said[-2000:])
    if said.startswith(("Command was cancelled", "Command was automatically cancelled")) or "timed out" in said[:120]:
        return {"ending": Ending.TIMED_OUT if "timed out" in said[:300] or "exceeded" in said[:300] else Ending.INTERRUPTED}
    if found:
        return {"exit": None if found[1] == "(none)" else int(found[1])}
    if "Background PIDs:" in said[-300:] or "moved to background" in said[:300]:
        return {"ending": Ending.RUNNING}
    return {} if _SIGNAL.search(said[-2000:]) or _ERROR.search(said[-2000:]) else {"exit": 0}
