"""A shell command as far as reading its result needs it: the tool whose result is wanted, what hides its exit status, and whether it checks anything."""

from collections.abc import Sequence
from functools import lru_cache

from ruledout.observe import pipeline
from ruledout.observe.calls import Call, base, called, rx
from ruledout.observe.names import Role
from ruledout.observe.pipeline import Step
from ruledout.observe.reading import Shape
from ruledout.observe.roles import role, writes_files

_WEAK = (Role.NONE, Role.HOOKED)
_HOOK_MARKS = (
    r"(?i)\bhusky\b|lint-staged|lefthook|\[(?:STARTED|COMPLETED|FAILED)\]|\.{3}(?!\.)\s{0,20}\(?(?:Passed|Failed)"
    r"|\b(?:es|style|oxc)?lint(?:ing|er)?\b|\bprettier\b|type.?check"
    r"|\b(?:cargo|go|npm|pnpm|bun|yarn) (?:build|test|check|run|clippy|vet)\b"
    r"|\btests? (?:pass|fail|suites?)|\bbuild (?:check|warnings|pass|fail)|error\[E|\bruff\b|\bmypy\b|\btsc\b|pytest"
)
_GIT_TALK = (
    r"^(?:remote:|To |From |Everything up-to-date|Enumerating|Counting|Delta|Compressing|Writing|Total|branch "
    r"|\s+[0-9a-f]+\.\.|\[[^\]\n]* [0-9a-f]{7,}\]| Date:"
    r"| \d+ files? changed| (?:create|delete) mode| rename |\[entire\])"
)
_REFUSING_EXITS = r"exit\b|return\b|false\b"
_KEEPS_PIPE = frozenset(("-o", "pipefail"))


@lru_cache(maxsize=512)
def shape(command: str) -> Shape:
    """Take a command line apart. Total: a text that is no shell gives a shape without a tool."""
    parts = pipeline.steps(command)
    calls = [called(step) for step in parts]
    roles = [_role_in_pipe(parts, index, call) for index, call in enumerate(calls)]
    wanted = _wanted(roles)
    programs = tuple(call.program for call in calls if call.program)
    checks = sum(each is not Role.NONE for each in roles)
    if wanted is None:
        return Shape(programs=programs, tool=None, hides_exit=None)
    hidden = _hidden(parts, calls, wanted)
    echo = "echo" if hidden and _echoes_exit(parts, wanted) else None
    return Shape(programs=programs, tool=calls[wanted].program, hides_exit=hidden, role=roles[wanted].value, prints_exit=echo, checks=checks)


def _wanted(roles: Sequence[Role]) -> int | None:
    """The last step that checks something; `git commit` behind it only where there is nothing better."""
    strong = [index for index, each in enumerate(roles) if each not in _WEAK]
    weak = [index for index, each in enumerate(roles) if each is Role.HOOKED]
    return max(strong or weak, default=None)


def _role_in_pipe(parts: Sequence[Step], index: int, call: Call) -> Role:
    """What reads another program's output (`curl x | python -c ...`) checks nothing by itself."""
    found = role(call)
    if found is Role.RUN and _is_edit(parts[:index], call):
        return Role.NONE
    fed = index > 0 and parts[index - 1].then == "|"
    return Role.NONE if fed and found is Role.RUN and call.program in ("python", "node", "ruby", "perl", "php") and call.args[:1] != ("-",) else found


def _is_edit(before: Sequence[Step], call: Call) -> bool:
    """Runs a script that the same command wrote, and whose text writes files; a test may write files of its own."""
    script = base(call.args[0] if call.args and call.program != "script" else call.path)
    bodies = [step.body for step in before if any(base(path) == script for path in step.writes)]
    return bool(bodies) and writes_files(bodies[-1]) and not rx(r"(?i)test|repro|assert").search(script + bodies[-1])


def _hidden(parts: Sequence[Step], calls: Sequence[Call], index: int) -> str | None:
    """What stands between the tool's exit status and the one that was told (docs/outcomes.md)."""
    strict, pipefail = _settings(parts[:index])
    following = list(pipeline.after(tuple(parts), index))
    if parts[index].words[:1] in (("if",), ("while",), ("until",), ("elif",)):
        return parts[index].words[0]
    for number, (operator, step) in enumerate(following):
        behind = calls[index + number + 1].program if step is not None else ""
        hides = _operator_hides(operator, step, behind, strict=strict, pipefail=pipefail)
        if hides:
            return hides
        if operator == "" or step is None:
            return None
    return None


def _operator_hides(operator: str, step: Step | None, program: str, *, strict: bool, pipefail: bool) -> str | None:
    if operator == "|":
        return None if pipefail else f"| {program}".rstrip()
    if operator == "&":
        return "&"
    if step is None:
        return None
    said = " ".join(step.words)
    if operator == "||":
        return None if rx(_REFUSING_EXITS).match(said) else f"|| {program}".rstrip()
    if operator == ";":
        return None if strict or rx(_REFUSING_EXITS).match(said) or step.words[0] in ("done", "fi", "esac") else f"; {program}".rstrip()
    return None


def _settings(before: Sequence[Step]) -> tuple[bool, bool]:
    """Whether `set -e` and `set -o pipefail` stand in front."""
    words = [word for step in before if step.words[:1] == ("set",) for word in step.words[1:]]
    short = "".join(word for word in words if word.startswith("-") and not word.startswith("--"))
    return "e" in short, "pipefail" in words


def _echoes_exit(parts: Sequence[Step], index: int) -> bool:
    """`tool; echo $?` with nothing between them, or `${PIPESTATUS[0]}` right behind the pipe."""
    for number, (operator, step) in enumerate(pipeline.after(tuple(parts), index)):
        if step is None:
            return False
        said = " ".join(step.words)
        if operator == ";" and step.words[0] in ("echo", "printf"):
            return "PIPESTATUS[0]" in said or (number == 0 and "$?" in said)
        if operator != "|" and not (operator == ";" and "=$?" in said):
            return False
    return False


def is_check(parted: Shape, command: str, output: str = "", exit: int | None = None) -> bool:  # noqa: A002  # the word of the shared values
    """Does the result of this command say whether something works: tests, builds, linters, type checks, the program itself.

    `git commit` and `git push` count only where the output shows that hooks ran, so the output decides for them.
    """
    if parted.role is None or not command.strip():
        return False
    if parted.role != Role.HOOKED.value:
        return True
    return _hooks_ran(output, exit)


def _hooks_ran(output: str, exit: int | None) -> bool:  # noqa: A002  # the word of the shared values
    if not output or "\n" not in output.strip():
        return False
    lines = [line for line in output.splitlines() if not rx(_GIT_TALK).match(line)]
    if any(rx(_HOOK_MARKS).search(line) for line in lines):
        return True
    return bool(exit) and "hook" in output
