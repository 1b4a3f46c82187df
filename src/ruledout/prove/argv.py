# ruff: noqa: PTH118, PTH119  # words of a command line are text, and are joined as text
"""What can be said against a gate by its argv alone (R9): no shell, nothing that cannot fail, nothing that git or the runner could take for an option."""

import os
from collections.abc import Sequence

from ruledout.model.gate import Reason
from ruledout.prove.refusals import reason

_SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "fish", "busybox", "cmd", "powershell", "pwsh"))
_INLINE = ("-c", "/c", "/C", "-Command", "-lc", "-ec", "-ic", "-xc", "-euc", "-exc", "-EncodedCommand")
_OPERATORS = frozenset(("|", "||", "&&", ";", "&", "|&", ">", ">>", "2>&1", "2>", "<"))
_NOTHING = frozenset("true false : echo printf exit test [ sleep cat ls pwd date which type whoami uname env".split())  # noqa: SIM905  # a list of words
_SHOWS_ONLY = frozenset(
    "--version --help -h --collect-only --co --fixtures --markers --setup-plan --setup-only --listTests --list --no-run --dry-run".split()  # noqa: SIM905  # the same
)


def objections(argv: Sequence[str]) -> tuple[Reason, ...]:
    """The reasons against this argv; empty where none is seen."""
    if not argv or not argv[0]:
        return (reason("vacuous_gate", "the gate is empty"),)
    shown = " ".join(argv)[:200]
    name = os.path.basename(argv[0]).removesuffix(".exe")
    if (name in _SHELLS and any(word in _INLINE or _bundled(word) for word in argv[1:])) or _OPERATORS.intersection(argv) or _script_in_one_word(argv):
        return (reason("shell_gate", f"the gate is a shell line, whose status can hide a failure: {shown}"),)
    bare = [word for word in argv if word != "--"]
    if name in _NOTHING and not (name == "env" and len(bare) > 1 and "=" in bare[1]):
        return (reason("vacuous_gate", f"{name} tests nothing: {shown}"),)
    only = _SHOWS_ONLY.intersection(argv[1:])
    if only or (name.startswith("python") and len(argv) > 1 and argv[1] == "-c" and argv[-1].strip() == "pass"):
        return (reason("vacuous_gate", f"{', '.join(sorted(only)) or 'this'} runs no test: {shown}"),)
    return ()


def _bundled(word: str) -> bool:
    """A bundle of short options that ends in `c`: `-euxc`."""
    return len(word) > 2 and word[0] == "-" and word[1] != "-" and word[1:].isalpha() and word.endswith("c")


def _script_in_one_word(argv: Sequence[str]) -> bool:
    """A whole command line in the first word, as it comes from a split that was forgotten."""
    return len(argv) == 1 and any(mark in argv[0] for mark in (" ", ";", "|", "&"))


def named_paths(argv: Sequence[str], cwd: str) -> tuple[str, ...]:
    """Words of the argv that may be files, relative to the repository's root, without test ids behind `::`. For doctest the file is the product."""
    if any("doctest" in word for word in argv):
        return ()
    words = [word.partition("::")[0] for word in argv[1:] if not word.startswith("-")]
    return tuple(os.path.normpath(os.path.join(cwd, word)).replace(os.sep, "/") for word in words if word)
