"""Which program a simple command runs, under all its wrappers: `FOO=1 timeout 60 uv run python -m pytest -q` runs `pytest`.

It names the program and what was handed to it. What its result can say is for `roles`.
"""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from ruledout.observe import pipeline

_NESTING = 4
"""`sh -c` inside wrappers is followed so deep"""
rx = cache(re.compile)


class Call(Struct, frozen=True):
    """A program without path and wrappers, its arguments, and the source text that it was handed (`-c`, heredoc)."""

    program: str
    args: tuple[str, ...] = ()
    path: str = ""
    source: str = ""


_KEYWORDS = frozenset(
    (
        "do",
        "then",
        "else",
        "elif",
        "if",
        "while",
        "until",
        "!",
        "time",
        "exec",
        "command",
        "builtin",
        "nohup",
        "{",
        "(",
        "eval",
        "setsid",
        "caffeinate",
        "unbuffer",
    )
)
_VALUED: Mapping[str, frozenset[str]] = {
    "env": frozenset(("-u", "--unset", "-C", "--chdir", "-S")),
    "timeout": frozenset(("-k", "--kill-after", "-s", "--signal")),
    "gtimeout": frozenset(("-k", "--kill-after", "-s", "--signal")),
    "sudo": frozenset(("-u", "-g", "-C", "-D")),
    "nice": frozenset(("-n",)),
    "ionice": frozenset(("-c", "-n")),
    "stdbuf": frozenset(("-o", "-e", "-i")),
    "xvfb-run": frozenset(("-s", "--server-args", "-n", "-e", "-f")),
    "npx": frozenset(("-p", "--package", "-w", "--workspace")),
    "bunx": frozenset(("-p", "--package")),
    "pnpx": frozenset(("-p", "--package")),
    "rtk": frozenset(),
    "dotenv": frozenset(("-e", "-f", "-c")),
}
"""wrappers, and which of their options take a value"""
_RUNNERS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("uv", "poetry", "pdm", "pipenv", "rye", "conda", "micromamba", "mamba", "hatch", "pixi"), frozenset(("run",))),
    "pnpm": frozenset(("exec", "dlx")),
    "yarn": frozenset(("exec", "dlx")),
    "npm": frozenset(("exec", "x")),
    "bun": frozenset(("x",)),
    "bundle": frozenset(("exec",)),
    "mise": frozenset(("exec", "x")),
    "direnv": frozenset(("exec",)),
    "doppler": frozenset(("run",)),
    "coverage": frozenset(("run",)),
    "docker": frozenset(("exec",)),
    "podman": frozenset(("exec",)),
}
"""programs whose sub-command runs another program"""
_RUNNER_VALUED = frozenset(
    (
        *(
            "--with",
            "--python",
            "-p",
            "--extra",
            "--group",
            "--project",
            "--directory",
            "--package",
            "-n",
            "--name",
            "--filter",
            "-F",
            "-C",
            "--cwd",
            "--env-file",
        ),
        *("-e", "--env", "-u", "--user", "-w", "--workdir", "--dir", "-v", "--source", "--include", "--omit", "--with-requirements", "--env", "--index-url"),
    )
)
_PLUMBING = frozenset(("cd", "echo", "export", "set", "true", "source", ".", "tail", "head", "grep", "tee", "cat", ""))
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish"))
_PYTHON = r"(?:python|pypy)[\d.]*$"
_PYTHON_VALUED = frozenset(("-W", "-X", "--check-hash-based-pycs"))


def called(step: pipeline.Step, depth: int = 0) -> Call:
    """The program that a step runs. An empty program where it only assigns or closes a block."""
    return _resolve(step.words, step.body, depth)


def _resolve(words: tuple[str, ...], body: str, depth: int) -> Call:
    rest = words
    for _ in range(len(words) + 1):
        if not rest:
            return Call("")
        program = base(rest[0])
        if program in _KEYWORDS or _is_assignment(rest[0]):
            rest = rest[1:]
        elif program in _VALUED:
            rest = _unwrap(program, rest[1:])
        elif program in _RUNNERS and (inner := _behind_runner(program, rest[1:])):
            rest = inner
        elif program in SHELLS:
            return _shell(program, rest, body, depth)
        elif rx(_PYTHON).match(program):
            inner, call = _python(rest, body)
            if call:
                return call
            rest = inner
        else:
            return _plain(program, rest, body)
    return Call("")


def _plain(program: str, rest: tuple[str, ...], body: str) -> Call:
    args = rest[1:]
    if program == "cargo" and args[:1] and args[0].startswith("+"):
        args = args[1:]
    if program == "git":
        while args[:1] in (("-C",), ("-c",)):
            args = args[2:]
    source = body
    if program in ("node", "ruby", "perl", "php", "bun", "deno", "tsx") and args:
        source = _option(args, ("-e", "-p", "--eval", "--print", "-r", "eval")) or body
    return Call(program, args, rest[0], source)


def base(word: str) -> str:
    """The last part of a path, without a Windows suffix."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    return name[:-4] if name.lower().endswith((".exe", ".cmd", ".bat")) else name


def _is_assignment(word: str) -> bool:
    name, sign, _ = word.partition("=")
    return bool(sign) and name.rstrip("+").isidentifier()


def _unwrap(program: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    valued = _VALUED[program]
    at = 0
    while at < len(rest) and (rest[at].startswith("-") or (program == "env" and _is_assignment(rest[at]))):
        at += 2 if rest[at] in valued else 1
    if program in ("timeout", "gtimeout") and at < len(rest) and rest[at][:1].isdigit():
        at += 1
    return rest[at:]


def _behind_runner(program: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    """What `uv run --with x pytest -q` runs; empty where it is another sub-command."""
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        at += 2 if rest[at] in _RUNNER_VALUED else 1
    if at >= len(rest) or rest[at] not in _RUNNERS[program]:
        return ()
    at += 1
    while at < len(rest) and rest[at].startswith("-"):
        if rest[at] == "-m":  # `coverage run -m pytest`, `uv run -m pytest`
            break
        at += 2 if rest[at] in _RUNNER_VALUED else 1
    if rest[at : at + 1] == ("-m",):
        return rest[at + 1 :]
    return rest[at + 1 :] if program in ("docker", "podman", "direnv") else rest[at:]


def _shell(program: str, rest: tuple[str, ...], body: str, depth: int) -> Call:
    """`sh -c '...'` is what stands inside; `bash x.sh` is the script."""
    at = 1
    while at < len(rest) and rest[at].startswith("-"):
        if "c" in rest[at] and not rest[at].startswith("--") and at + 1 < len(rest) and depth < _NESTING:
            inner = [called(step, depth + 1) for step in pipeline.steps(rest[at + 1])]
            return next((call for call in reversed(inner) if call.program not in _PLUMBING), inner[-1] if inner else Call(program))
        at += 2 if rest[at] in ("-o", "+o", "--rcfile", "--init-file") else 1
    return Call("script", rest[at + 1 :], rest[at]) if at < len(rest) else Call(program, rest[1:], rest[0], body)


def _python(rest: tuple[str, ...], body: str) -> tuple[tuple[str, ...], Call | None]:
    """The module behind `-m` as a command of its own, or the call of a script or of source text."""
    at = 1
    while at < len(rest) and rest[at].startswith("-") and rest[at] != "-":
        option = rest[at]
        if option == "-m" and at + 1 < len(rest):
            return rest[at + 1 :], None
        if option.startswith("-c") or (len(option) > 1 and option.endswith("c") and not option.startswith("--")):
            return (), Call(
                "python", ("-c", *rest[at + 2 :]), rest[0], option[2:] if len(option) > 2 and option.startswith("-c") else "".join(rest[at + 1 : at + 2])
            )
        if option in ("-V", "--version", "-h", "--help"):
            return (), Call("python", (option,), rest[0])
        at += 2 if option in _PYTHON_VALUED else 1
    return (), Call("python", rest[at:], rest[0], body if rest[at : at + 1] in ((), ("-",)) else "")


def _option(args: tuple[str, ...], names: tuple[str, ...]) -> str:
    return next((args[number + 1] for number, arg in enumerate(args[:-1]) if arg in names), "")
