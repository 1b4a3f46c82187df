"""Inspect's evaluation logs: `.json`, and `.eval`, which is a zip archive with a member for each sample. The first sample is the session; others are counted.

A ref is the tool call's id, else the message's own id, else `step:N`, the index into the sample's messages. Attachments are put back in their places.
An archive is held to limits of size, ratio and members: what it says of itself is not believed.
"""

import io
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Transcript
from ruledout.model.turn import Role
from ruledout.read import loose
from ruledout.read.assemble import Assembler

if TYPE_CHECKING:  # zipfile brings half the file system with it: it is loaded for archives only
    from zipfile import ZipFile

NAME = "inspect"

_MEMBERS = 20_000
_SIZE = 64 * 1024 * 1024
_RATIO = 100
_SLACK = 1024 * 1024
"""Bytes that may come out of a member whatever its ratio: small JSON compresses well."""
_POINTER = "attachment://"
_ENDINGS = {"timeout": Ending.TIMED_OUT, "parsing": Ending.MALFORMED, "approval": Ending.REFUSED, "limit": Ending.INTERRUPTED}


class _Error(Struct):
    type: Any = None
    message: Any = None


class _Message(Struct):
    id: Any = None
    role: Any = None
    content: Any = None
    tool_calls: Any = None
    tool_call_id: Any = None
    error: _Error | None = None


class _Eval(Struct):
    eval_id: Any = None
    task: Any = None
    packages: Any = None


def claims(head: bytes) -> bool:
    """A zip archive with Inspect's members, or a log with its plan and its samples or results."""
    if head.startswith(b"PK\x03\x04"):
        return any(name in head for name in (b"_journal/start.json", b"header.json", b"samples/"))
    ways = loose.outline(head)
    return {"version", "status", "eval"} <= ways and bool({"plan", "samples", "results", "eval.eval_id", "eval.task"} & ways)


def read(raw: bytes) -> Transcript:
    """Read a log. Raises BadInput where the archive breaks a limit, or where there is no sample."""
    out = Assembler(NAME)
    if raw.startswith(b"PK\x03\x04"):
        head, samples = _archive(raw, out)
    else:
        document = loose.document(raw, NAME)
        if document.torn is not None:
            out.skip("torn document", f"byte:{document.torn}")
        head, samples = document.members, document.items("samples")
    if not samples:
        raise BadInput("no-sample", "the inspect log has no sample that can be read", "give a log with samples")
    for index in range(1, len(samples)):
        out.skip("further sample in the log", f"step:{index}")
    sample = loose.members(samples[0])
    walk = _Walk(out, loose.mapping(loose.value(sample.get("attachments", b""))))
    for index, part in enumerate(loose.array(sample.get("messages", b""))):
        walk.take(index, part)
    told = loose.decode(head.get("eval", b"{}"), _Eval) or _Eval()
    version = loose.text(loose.mapping(told.packages).get("inspect_ai"))
    return out.finish(agent=NAME, version=version or None, session=loose.text(told.eval_id) or loose.text(told.task) or None)


def _archive(raw: bytes, out: Assembler) -> tuple[dict[str, loose.Piece], list[loose.Piece]]:
    """The header and the first sample of an archive; an empty place for each other."""
    import zipfile
    import zlib

    end = raw.rfind(b"PK\x05\x06")
    count = int.from_bytes(raw[end + 10 : end + 12], "little") if end >= 0 else 0
    if count > _MEMBERS:
        raise BadInput("archive-limit", f"the archive has {count} members or more", f"give a log of at most {_MEMBERS} samples")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = archive.namelist()
            samples = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
            if not samples:
                return {}, []
            head = loose.members(_member(archive, "header.json")) if "header.json" in names else {}
            return head, [_member(archive, samples[0]), *(b"" for _ in samples[1:])]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, ValueError, OSError, LookupError) as error:
        out.skip("archive that cannot be read", "byte:0")
        raise BadInput("broken-session", f"the inspect archive cannot be read: {type(error).__name__}", "give the whole .eval file") from error


def _member(archive: "ZipFile", name: str) -> bytes:
    """A member's bytes, counted as they come out. Raises BadInput `archive-limit`."""
    info = archive.getinfo(name)
    limit = min(_SIZE, max(info.compress_size, 1) * _RATIO + _SLACK)
    with archive.open(info) as member:
        content = member.read(limit + 1)
    if len(content) > limit:
        raise BadInput("archive-limit", f"a member of the archive unpacks to more than {limit} bytes", "give a log whose samples are smaller")
    return content


class _Walk:
    """Goes through the messages of a sample."""

    def __init__(self, out: Assembler, attachments: dict[str, Any]) -> None:
        self.out = out
        self.attachments = attachments

    def take(self, index: int, raw: loose.Piece) -> None:
        """The next message."""
        message = loose.decode(raw, _Message)
        if message is None:
            self.out.skip("not a message", f"step:{index}")
            return
        ref = loose.text(message.id) or f"step:{index}"
        said = loose.text(self._whole(_plain(message.content), 0))
        if message.role == "tool":
            self._result(loose.text(message.tool_call_id) or ref, said, message.error)
        elif message.role == "assistant":
            if said.strip():
                self.out.say(Role.ASSISTANT, said, ref)
            for call in map(loose.mapping, message.tool_calls if isinstance(message.tool_calls, list) else ()):
                function = call.get("function")
                name = loose.text(function) or loose.text(loose.mapping(function).get("name"))
                self.out.call(loose.text(call.get("id")) or ref, name, self._whole(call.get("arguments"), 0))
        else:
            self.out.say({"system": Role.SYSTEM, "user": Role.USER}.get(loose.text(message.role), Role.NOTE), said, ref)

    def _result(self, ref: str, said: str, error: _Error | None) -> None:
        if error is None:
            self.out.result(ref, said)
            return
        told = "\n".join(part for part in (said, loose.text(error.message)) if part)
        self.out.result(ref, told, ending=_ENDINGS.get(loose.text(error.type), Ending.DONE))

    def _whole(self, given: object, depth: int) -> object:
        """The value with its attachments in their places."""
        if isinstance(given, str) and given.startswith(_POINTER):
            return loose.text(self.attachments.get(given.removeprefix(_POINTER))) or given
        if depth > 6:
            return given
        if isinstance(given, list):
            return [self._whole(part, depth + 1) for part in given]
        if isinstance(given, dict):
            return {name: self._whole(part, depth + 1) for name, part in given.items()}
        return given


def _plain(content: object) -> object:
    """The content without the model's hidden reasoning blocks' signatures: text and reasoning only."""
    if not isinstance(content, list):
        return content
    return [{"text": part.get("reasoning")} if isinstance(part, dict) and part.get("type") == "reasoning" else part for part in content]
