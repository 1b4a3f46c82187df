"""OpenTelemetry traces of agents: OTLP as JSON, one document or one export a line, in the GenAI conventions or in OpenInference's.

A ref is `gen_ai.tool.call.id`, else the span's own id. Spans tell no exit status but in what they show, and cut long values, and so the transcript is lossy:
an output without its end decides nothing unless its exit is told, and an edit without its end is one whose content is not known.
"""

import re
from typing import Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read import converted, loose, tools
from ruledout.read.arguments import PATH_KEYS, first
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "otel"

_COMMAND = re.compile(r'"(?:command|cmd)"\s*:\s*"((?:[^"\\]|\\.)*+)')
_HERE = re.compile(r"<<-?\s*[\"']?\w+[\"']?")


class _Status(Struct):
    code: Any = None
    message: Any = None


class _Span(Struct):
    spanId: Any = None  # noqa: N815  # the file's spelling
    name: Any = None
    startTimeUnixNano: Any = None  # noqa: N815  # the file's spelling
    attributes: Any = None
    status: _Status | None = None


class _Known(Struct):
    """A span with its attributes as a mapping."""

    ref: str
    at: int
    name: str
    given: dict[str, Any]
    failed: bool
    told: str


def claims(head: bytes) -> bool:
    """An export of resource spans."""
    ways = loose.outline(head)
    return "resourceSpans" in ways or "resource_spans" in ways


def read(raw: bytes) -> Transcript:
    """Read a trace. Raises BadInput when it holds no span of an agent."""
    out = Assembler(NAME)
    spans = sorted((span for part in _spans(raw, out) if (span := _known(out, part))), key=lambda span: span.at)
    if not spans:
        raise BadInput("broken-session", "no span of the otel trace can be read", "give the whole export as OTLP JSON")
    walk = _Walk(out)
    for span in spans:
        walk.take(span)
    facts = {key: next((loose.text(span.given.get(name)) for span in spans for name in names if span.given.get(name)), None) for key, names in _FACTS.items()}
    return out.finish(agent=facts["agent"], version=facts["version"], session=facts["session"], fidelity=Fidelity.LOSSY)


_FACTS = {
    "agent": ("agent.name", "gen_ai.agent.name"),
    "version": ("agent.version", "gen_ai.agent.version"),
    "session": ("session.id", "gen_ai.conversation.id"),
}


def _spans(raw: bytes, out: Assembler) -> list[loose.Piece]:
    """All spans of all exports, as bytes."""
    exports = [line for _, (_, line) in objects(raw, loose.record, out.skip)] if loose.lined(raw) is not None else [raw]
    spans: list[loose.Piece] = []
    for export in exports:
        document = loose.document(export, NAME)
        if document.torn is not None:
            out.skip("torn document", f"byte:{document.torn}")
        for resource in document.items("resourceSpans") + document.items("resource_spans"):
            scopes = loose.members(resource)
            for scope in loose.array(scopes.get("scopeSpans", scopes.get("scope_spans", b""))):
                spans += loose.array(loose.members(scope).get("spans", b""))
    return spans


def _known(out: Assembler, part: loose.Piece) -> _Known | None:
    span = loose.decode(part, _Span)
    if span is None or not loose.text(span.spanId):
        out.skip("span of an unknown shape", "byte:0")
        return None
    pairs = [loose.mapping(pair) for pair in (span.attributes if isinstance(span.attributes, list) else ())]
    given = {loose.text(pair.get("key")): _plain(pair.get("value"), 0) for pair in pairs}
    start = str(span.startTimeUnixNano or "")
    status = span.status or _Status()
    failed = status.code in ("STATUS_CODE_ERROR", 2) or bool(given.get("error.type"))
    return _Known(
        loose.text(span.spanId), int(start) if start.isdecimal() and len(start) < 30 else 0, loose.text(span.name), given, failed, loose.text(status.message)
    )


def _plain(value: object, depth: int) -> object:
    """An attribute's value without the wrapping that names its type."""
    kinds = loose.mapping(value)
    for kind, held in kinds.items():
        if kind in ("arrayValue", "array_value") and depth < 8:
            parts = loose.mapping(held).get("values")
            return [_plain(part, depth + 1) for part in (parts if isinstance(parts, list) else ())]
        if kind in ("kvlistValue", "kvlist_value") and depth < 8:
            pairs = loose.mapping(held).get("values")
            return {
                loose.text(loose.mapping(pair).get("key")): _plain(loose.mapping(pair).get("value"), depth + 1)
                for pair in (pairs if isinstance(pairs, list) else ())
            }
        return held
    return None


class _Walk:
    """Goes through the spans by their start: an agent's input is the task, a model's output is what it said, a tool's span is a call."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.asked = False

    def take(self, span: _Known) -> None:
        """The next span."""
        given = span.given
        kind = loose.text(given.get("openinference.span.kind")).upper()
        work = loose.text(given.get("gen_ai.operation.name"))
        if kind == "TOOL" or work == "execute_tool" or "gen_ai.tool.name" in given:
            self._tool(span)
        elif kind == "LLM" or work in ("chat", "text_completion", "generate_content"):
            self._ask(span, given.get("gen_ai.input.messages"))
            self._answer(span)
        elif kind == "AGENT" or work in ("invoke_agent", "create_agent"):
            self._ask(span, given.get("input.value") or given.get("gen_ai.input.messages"))

    def _answer(self, span: _Known) -> None:
        """What a model thought and said; some exporters write the same text as both."""
        thought = loose.text(span.given.get("metadata.reasoning_content"))
        said = _spoken(span.given.get("gen_ai.output.messages")) or loose.text(span.given.get("output.value"))
        for part in (thought if thought != said else "", said):
            if part.strip():
                self.out.say(Role.ASSISTANT, part, span.ref)

    def _ask(self, span: _Known, given: object) -> None:
        """The first thing asked is the task; later prompts repeat it."""
        said = _spoken(given, "user") or (given if isinstance(given, str) and not given.startswith("[{") else "")
        if not self.asked and said.strip():
            self.asked = True
            self.out.say(Role.USER, said, span.ref)

    def _tool(self, span: _Known) -> None:
        given = span.given
        ref = loose.text(given.get("gen_ai.tool.call.id")) or span.ref
        name = loose.text(given.get("gen_ai.tool.name")) or loose.text(given.get("tool.name")) or span.name.removeprefix("execute_tool ")
        self._call(ref, name, given.get("gen_ai.tool.call.arguments", given.get("input.value")))
        answer = given.get("gen_ai.tool.call.result", given.get("output.value"))
        if answer is None and not span.failed:
            return
        self._close(ref, name, loose.text(loose.mapping(answer)) or loose.text(answer) or span.told, failed=span.failed)

    def _call(self, ref: str, name: str, asked: object) -> None:
        """A call; of one whose arguments were cut, what can still be told."""
        left = converted.uncut(asked) if isinstance(asked, str) else None
        if left is None:
            self.out.call(ref, name, loose.mapping(asked) or asked)
            return
        known = {key: loose.value(part) for key, part in loose.members(left.encode("utf-8", "replace")).items()}
        if tools.is_run(name):
            self.out.call(ref, name, {"command": _beginning(left)})
        elif tools.is_edit(name):
            path = first(known, PATH_KEYS) or "*"
            self.out.call(ref, "file_change", {"changes": [{"path": path}]}, shown=f"{name} {path}")
        else:
            self.out.call(ref, name, known)

    def _close(self, ref: str, name: str, content: str, *, failed: bool) -> None:
        said = converted.plain(content)
        if not tools.is_run(name):
            self.out.result(ref, said, ending=Ending.MALFORMED if failed or converted.failed(content) else Ending.DONE)
            return
        told = converted.exit_of(content)
        if told is None and converted.uncut(said) is not None:
            self.out.say(Role.OUTPUT, said, ref)
            self.out.close(ref, Ending.DONE)
            return
        self.out.result(ref, said, exit=told, ending=Ending.RUNNING if told is None and converted.running(said) else Ending.DONE)


def _beginning(left: str) -> str:
    """The first line of a command whose arguments were cut, without a here-document whose end is not there: it writes, nobody knows what."""
    found = _COMMAND.search(left)
    command = loose.text(loose.value(f'"{found[1]}"'.encode("utf-8", "replace"))) if found else ""
    return _HERE.sub("", command.partition("\n")[0]).strip()


def _spoken(given: object, role: str = "assistant") -> str:
    """The text parts of GenAI messages (`[{role, parts: [{type: text, content}]}]`), which may stand as JSON in a string."""
    if isinstance(given, str):
        given = loose.value(given.encode("utf-8", "replace")) if given.startswith("[") else None
    said: list[str] = []
    for message in map(loose.mapping, given if isinstance(given, list) else ()):
        parts = message.get("parts")
        if message.get("role") == role:
            said += [loose.text(part.get("content")) for part in map(loose.mapping, parts if isinstance(parts, list) else ()) if part.get("type") == "text"]
    return "\n".join(part for part in said if part)
