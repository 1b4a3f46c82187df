"""The command line: finds the verb, lets it run, turns errors into exit codes. A verb's parser and its imports are loaded only when it is asked for."""

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

from ruledout.errors import BadInput, CannotRun, RuledoutError

if TYPE_CHECKING:
    from argparse import ArgumentParser

DONE, NO, ASKED_WRONGLY, COULD_NOT_RUN, OUR_BUG = 0, 1, 2, 3, 70

VERBS: dict[str, str] = {
    "sessions": "the sessions that agents keep on this machine, newest first",
    "inspect": "read a session file of any known agent and show what happened",
    "distill": "make a session a proved residual, or an honest handoff, and keep it",
    "prove": "run a gate: red without the patch, green with it, red again on revert",
    "boundary": "find the value of a parameter at which a command stops to hold",
    "why": "what a line guards against, and the proof",
    "guard": "does a change take a proved guard out",
    "check": "has this edit, command or idea been ruled out",
    "recall": "which residuals bear on this failure, file or question",
    "recheck": "do the kept fixes still hold: their gates run again, where you allowed them",
    "replay": "try a dead end again: does it still fail so",
    "trust": "allow exactly what a record would run here, list that, or take it back",
    "list": "what is kept for this repository",
    "show": "one record on one screen",
    "handoff": "what the next agent needs to go on with unresolved work",
    "forget": "take a record out for good",
    "audit": "derive every digest again",
    "observe": "read the output of a test run, build or program",
    "mcp": "the server for agents (Model Context Protocol, standard input and output)",
    "hook": "what is known of an agent's act, at the moment of the act",
    "mute": "say no more of an item, by a rule, in a repository, or anywhere",
    "init": "into your agents' settings: known dead ends are told at the moment of the act",
    "uninstall": "out of your agents' settings again, byte for byte where nothing else changed",
    "doctor": "is the hook installed, does it answer, is what it stands on sound",
    "demo": "see it work on a small real repository and session",
}
"""Every verb and what it does in a line; each is a module of `doors.verbs` with `arguments(parser)` and `run(options) -> int`."""


def run(argv: Sequence[str]) -> int:
    """Run one verb; the exit code of the command contract (docs/cli.md)."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if not argv or argv[0] in ("-h", "--help", "help"):
        sys.stdout.write(overview())
        return DONE if argv else ASKED_WRONGLY
    if argv[0] not in VERBS:
        sys.stderr.write(f"ruledout: there is no verb {argv[0]!r}; `ruledout --help` lists them\n")
        return ASKED_WRONGLY
    return _guarded(argv[0], argv[1:])


def overview() -> str:
    """The text of `ruledout --help`."""
    width = max(map(len, VERBS))
    lines = [f"  {name:<{width}}  {what}" for name, what in VERBS.items()]
    head = "usage: ruledout VERB [options]\n\nWhat a coding agent should remember of a debugging session.\n\n"
    return (
        head
        + "\n".join(lines)
        + "\n\n`ruledout VERB --help` says more. Exit codes: 0 done or clear, 1 the answer is no, 2 asked wrongly, 3 could not run, 70 our bug.\n"
    )


def parser_of(name: str) -> "tuple[ArgumentParser, ModuleType]":
    """A verb's parser and its module. Help has one width: the terminal is not asked, which would load what no verb needs."""
    from argparse import ArgumentParser, HelpFormatter

    class Parser(ArgumentParser):
        """Where a verb takes a command, says where it goes."""

        def error(self, message: str) -> NoReturn:
            """End with the usage and what was wrong."""
            lost = message.startswith("unrecognized arguments") and "-- CMD" in (self.usage or "")
            super().error(f"{message}; the command goes after --" if lost else message)

    class Help(HelpFormatter):
        """Help laid out in 100 columns."""

        def __init__(self, prog: str) -> None:
            super().__init__(prog, width=100)

    module = _module(name)
    parser = Parser(prog=f"ruledout {name}", description=VERBS[name], allow_abbrev=False, formatter_class=Help)
    module.arguments(parser)
    return parser, module


def _module(name: str) -> ModuleType:
    return import_module(f"ruledout.doors.verbs.{name}_")


def _asked(name: str, own: Sequence[str], command: list[str]) -> tuple[ModuleType, object]:
    """A verb's module and its options. A verb that reads its plainest use itself (`plainly`) spares the parser, which takes 4 ms to load and make."""
    module = _module(name)
    if plainly := getattr(module, "plainly", None):
        given = plainly(own)
        if given is not None:
            return module, SimpleNamespace(**given, rest=command)
    options = parser_of(name)[0].parse_args(own)
    options.rest = command
    return module, options


def _guarded(name: str, argv: Sequence[str]) -> int:
    """One verb, with every end an exit code."""
    own, command = _split(argv)
    try:
        module, options = _asked(name, own, command)
        code: int = module.run(options)
    except RuledoutError as error:
        return _say(error, as_json="--json" in own or "--jsonl" in own)
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except KeyboardInterrupt:
        sys.stderr.write("ruledout: interrupted\n")
        return COULD_NOT_RUN
    except SystemExit as end:  # argparse has said what was wrong
        return DONE if end.code in (0, None) else ASKED_WRONGLY
    except Exception as error:  # noqa: BLE001  # the outermost door: a defect of ours is exit 70, never a bare traceback
        return _our_bug(error)
    return code


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands before `--`, and the command after it."""
    words = list(argv)
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def _say(error: RuledoutError, *, as_json: bool) -> int:
    if as_json:
        from ruledout.doors.show.plain import as_line

        sys.stdout.write(as_line({"error": {"slug": error.slug, "message": error.message, "mend": error.mend}}))
    sys.stderr.write(f"ruledout: {error}\n")
    if isinstance(error, BadInput):
        return ASKED_WRONGLY
    return COULD_NOT_RUN if isinstance(error, CannotRun) else NO


def _our_bug(error: Exception) -> int:
    from traceback import extract_tb

    last = extract_tb(error.__traceback__)[-1]
    place = f"{last.filename.replace(chr(92), '/').rpartition('/ruledout/')[2]}:{last.lineno}"
    sys.stderr.write(f"ruledout: a defect of ours: {type(error).__name__}: {error} ({place}); please report it with the command that you ran\n")
    return OUR_BUG
