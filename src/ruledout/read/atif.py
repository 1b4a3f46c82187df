"""ATIF, the Agent Trajectory Interchange Format (Harbor), 1.0 to 1.8 and what deviates from it: one JSON object, or a header line and steps as JSON Lines.

A ref is the `tool_call_id`, else `step:N`, the index into `steps`; in the line form, `line:N`. The format has no field for an exit status: it is read from what
the converters write for each agent, and not told otherwise.
"""

from typing import Any

from msgspec import Struct

from ruledout.errors import BadInput
from ruledout.model.action import Ending
from ruledout.model.transcript import Fidelity, Transcript
from ruledout.model.turn import Role
from ruledout.read import converted, loose, textcalls, tools
from ruledout.read.assemble import Assembler
from ruledout.read.lines import objects

NAME = "atif"

_DEPTH = 4


class _Agent(Struct):
    name: Any = None
    version: Any = None


class _Metrics(Struct):
    exit_code: Any = None


class _Telemetry(Struct):
    metrics: _Metrics | None = None


class _ResultExtra(Struct):
    is_error: Any = None
    tool_result_is_error: Any = None
    success: Any = None
    exit_code: Any = None
    toolTelemetry: _Telemetry | None = None  # noqa: N815  # the file's spelling


class _Subagent(Struct):
    trajectory_id: Any = None
    session_id: Any = None


class _Result(Struct):
    source_call_id: Any = None
    content: Any = None
    subagent_trajectory_ref: list[_Subagent] | None = None
    extra: _ResultExtra | None = None


class _Call(Struct):
    tool_call_id: Any = None
    function_name: Any = None
    arguments: Any = None


class _Observation(Struct):
    results: list[_Result] | None = None


class _StepExtra(Struct):
    cwd: Any = None


class _Step(Struct):
    source: Any = None
    message: Any = None
    reasoning_content: Any = None
    tool_calls: list[_Call] | None = None
    observation: _Observation | None = None
    extra: _StepExtra | None = None


def claims(head: bytes) -> bool:
    """A schema version with steps of a source, or a header line of that schema."""
    ways = loose.outline(head)
    if "schema_version" not in ways:
        return False
    return "steps" in ways or "__header__" in ways or {"step_id", "source"} <= ways or b'"ATIF-v' in head


def read(raw: bytes) -> Transcript:
    """Read a trajectory. Raises BadInput when no step can be read."""
    out = Assembler(NAME)
    first = loose.lined(raw)
    if first is not None and "steps" not in first:
        head, steps = _lined(raw, out)
        return _transcript(out, loose.Document(members=head), steps, 0)
    document = loose.document(raw, NAME)
    if document.torn is not None:
        out.skip("torn document", f"byte:{document.torn}")
    return _transcript(out, document, [(f"step:{index}", part) for index, part in enumerate(document.items("steps"))], 0)


def _lined(raw: bytes, out: Assembler) -> tuple[dict[str, loose.Piece], list[tuple[str, loose.Piece]]]:
    """The header and the steps of the line form."""
    head: dict[str, loose.Piece] = {}
    steps: list[tuple[str, loose.Piece]] = []
    for line, (record, part) in objects(raw, loose.record, out.skip):
        if "source" in record:
            steps.append((f"line:{line}", part))
        elif "schema_version" in record:
            head = head or record
        else:
            out.skip("record of an unknown type", f"line:{line}")
    if not steps:
        raise BadInput("broken-session", "no step of the atif session can be read", "give the whole trajectory")
    return head, steps


def _transcript(out: Assembler, document: loose.Document, steps: list[tuple[str, loose.Piece]], depth: int) -> Transcript:
    walk = _Walk(out)
    for ref, part in steps:
        step = loose.decode(part, _Step)
        if step is None:
            out.skip("not a step", ref)
        else:
            walk.take(ref, step)
    agent = loose.decode(document.members.get("agent", b"{}"), _Agent) or _Agent()
    name = loose.text(agent.name)
    inner = document.items("subagent_trajectories") if depth < _DEPTH else []
    return out.finish(
        agent=name or None,
        version=loose.text(agent.version) or None,
        session=document.text("session_id") or None,
        cwd=walk.cwd,
        fidelity=Fidelity.LOSSY if name.startswith("terminus") else Fidelity.FULL,
        subagents=tuple(_inner(part, walk.started, depth + 1) for part in inner),
    )


def _inner(raw: loose.Piece, started: dict[str, str], depth: int) -> Transcript:
    """A trajectory inside a trajectory, with the call that started it."""
    document = loose.Document(members=loose.members(raw))
    steps = [(f"step:{index}", part) for index, part in enumerate(document.items("steps"))]
    found = _transcript(Assembler(NAME), document, steps, depth)
    names = (document.text("trajectory_id"), document.text("session_id"))
    parent = next((started[name] for name in names if name in started), None)
    return Transcript(**{**{field: getattr(found, field) for field in found.__struct_fields__}, "parent_ref": parent})


class _Walk:
    """Goes through the steps; each holds its calls and their results."""

    def __init__(self, out: Assembler) -> None:
        self.out = out
        self.cwd: str | None = None
        self.started: dict[str, str] = {}
        """the call that started a trajectory, by the trajectory's id"""

    def take(self, ref: str, step: _Step) -> None:
        """The next step."""
        cwd = (loose.text(step.extra.cwd) if step.extra else "") or None
        self.cwd = self.cwd or cwd
        said = loose.text(step.message)
        if step.source == "agent":
            calls = self._agent(ref, said, step, cwd)
        else:
            known = step.source in ("user", "system")
            self.out.say(Role.USER if step.source == "user" else Role.NOTE if len(self.out) or not known else Role.SYSTEM, said, ref)
            calls = []
        results = (step.observation.results if step.observation else None) or []
        for index, result in enumerate(results):
            self._result(ref, calls, index, result)

    def _agent(self, ref: str, said: str, step: _Step, cwd: str | None) -> list[tuple[str, str]]:
        """Say and call what the step says; gives the calls' refs and tools."""
        if (thought := loose.text(step.reasoning_content)).strip() and thought != said:
            self.out.say(Role.ASSISTANT, thought, ref)
        calls = [(loose.text(call.tool_call_id) or ref, loose.text(call.function_name), call.arguments) for call in step.tool_calls or ()]
        if not calls:
            written = textcalls.functions(said)
            said = textcalls.around(said, written) if written else said
            calls = [(ref, call.name, call.arguments) for call in written] or _commands(ref, said)
        if said.strip():
            self.out.say(Role.ASSISTANT, said, ref)
        for call, name, arguments in calls:
            self.out.call(call, name, arguments, cwd=cwd)
        return [(call, name) for call, name, _ in calls]

    def _result(self, ref: str, calls: list[tuple[str, str]], index: int, result: _Result) -> None:
        names = dict(calls)
        source = loose.text(result.source_call_id)
        call = source if source in names else calls[min(index, len(calls) - 1)][0] if calls else source
        for inner in result.subagent_trajectory_ref or ():
            for name in (loose.text(inner.trajectory_id), loose.text(inner.session_id)):
                self.started[name] = call or ref
        content = result.content
        if not calls and isinstance(content, dict) and isinstance(content.get("command"), str):
            self.out.call(ref, "bash", {"command": content["command"]})
            self.out.result(ref, loose.text(content.get("output")), exit=0 if content.get("passed") is True else None)
        elif call in names:
            self._close(call, names[call], loose.text(content), result.extra or _ResultExtra())
        elif said := loose.text(content):
            self.out.say(Role.OUTPUT, said, ref)

    def _close(self, call: str, name: str, content: str, extra: _ResultExtra) -> None:
        output = converted.plain(content)
        failed = extra.is_error is True or extra.tool_result_is_error is True or extra.success is False
        if not tools.is_run(name):
            self.out.result(call, output, ending=Ending.MALFORMED if failed else Ending.DONE)
            return
        metrics = extra.toolTelemetry.metrics if extra.toolTelemetry else None
        told = loose.integer(extra.exit_code)
        if told is None and metrics:
            told = loose.integer(metrics.exit_code)
        told = converted.exit_of(content) if told is None else told
        going_on = told is None and converted.running(output)
        if told is None and not going_on and (extra.is_error is False or extra.tool_result_is_error is False):
            told = 0
        self.out.result(call, output, exit=told, ending=Ending.RUNNING if going_on else tools.ending(output, name))


def _commands(ref: str, said: str) -> list[tuple[str, str, Any]]:
    """The keystrokes of an answer that is itself a JSON object of commands."""
    commands = loose.mapping(said).get("commands")
    strokes = [loose.text(loose.mapping(command).get("keystrokes")) for command in (commands if isinstance(commands, list) else ())]
    joined = "".join(strokes).rstrip("\n")
    return [(ref, "bash_command", {"keystrokes": joined})] if joined else []
