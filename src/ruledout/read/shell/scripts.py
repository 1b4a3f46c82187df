"""Little programs given on a command line: `sed -i`, `perl -i`, `printf`, and Python or Node scripts that open files for writing."""

import re
from collections.abc import Iterator
from functools import cache

from ruledout.model.action import EditKind, Hunk
from ruledout.read.patch import Change
from ruledout.read.shell.files import EVERYTHING, is_file, is_log

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "a": "", "b": "", "0": ""}
_SUBSTITUTIONS = 20
_LOOKED_AT = 5_000
"""characters of a sed or perl program: the patterns are quadratic at worst"""


def escaped(text: str) -> str:
    r"""`\n` and the like as what they say."""
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[0]), text, flags=re.DOTALL)


def printf(words: list[str]) -> str:
    """What `printf FORMAT ARG...` prints, `%s` and `%d` filled in; the format comes round again until the arguments are used up."""
    form, rest = escaped(words[0]) if words else "", words[1:]
    slots = len(re.findall(r"%[sdibq]", form))
    if not slots:
        return form.replace("%%", "%")
    rounds = max(1, -(-len(rest) // slots))
    values = iter(rest)
    return "".join(re.sub(r"%([sdibq%])", lambda found: "%" if found[1] == "%" else next(values, ""), form) for _ in range(min(rounds, 10_000)))


def sed(words: list[str]) -> Iterator[Change]:
    """`sed -i`: a pattern and its replacement for each `s` command, in each file. Without `-i` it edits nothing."""
    in_place, programs, paths = _options(words[1:])
    if in_place:
        hunks = tuple(hunk for program in programs for hunk in _commands(program))
        for path in paths:
            if is_file(path):
                yield Change(path=path, kind=EditKind.PATTERN, hunks=hunks)


def _options(words: list[str]) -> tuple[bool, list[str], list[str]]:
    """Does it write in place, its programs, its files."""
    programs: list[str] = []
    rest: list[str] = []
    in_place, at = False, 0
    while at < len(words):
        word = words[at]
        follows = words[at + 1] if at + 1 < len(words) else ""
        if word in {"-e", "--expression"} or (re.fullmatch(r"-[nEri]*e", word) and word != "-e"):
            in_place |= "i" in word
            programs.append(follows)
            at += 1
        elif word.startswith("--expression="):
            programs.append(word.split("=", 1)[1])
        elif word in {"-f", "--file", "-l", "--line-length"}:
            at += 1
        elif word.startswith("--in-place") or re.match(r"-[nErsz]*i", word):
            in_place = True
            at += follows == "" and at + 1 < len(words)
        elif not word.startswith("-") or word == "-":
            rest.append(word)
        at += 1
    if not programs and rest:
        programs.append(rest.pop(0))
    return in_place, programs, rest


def perl(words: list[str]) -> Iterator[Change]:
    """`perl -pi -e`: as `sed -i`."""
    programs: list[str] = []
    rest: list[str] = []
    in_place, at = False, 1
    while at < len(words):
        word = words[at]
        if word.startswith("-") and not rest:
            in_place |= bool(re.match(r"-[0p]*[a-z0-9]*i", word))
            if word.endswith(("e", "E")) and at + 1 < len(words):
                at += 1
                programs.append(words[at])
        else:
            rest.append(word)
        at += 1
    if in_place:
        hunks = tuple(hunk for program in programs for hunk in _commands(program))
        for path in rest:
            yield Change(path=path, kind=EditKind.PATTERN if hunks else EditKind.OPAQUE, hunks=hunks)


@cache
def _substitute() -> re.Pattern[str]:
    r"""An `s` command: its delimiter, pattern and replacement, with `\` before a delimiter inside."""
    return re.compile(r"(?<![A-Za-z_\\.])s([/|#,@!%:~+])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\.|(?!\1)[^\\])*)\1", re.DOTALL)


@cache
def _other() -> re.Pattern[str]:
    r"""A deletion, or text set in: `3,5d`, `/pattern/d`, `7a\ text`, `/x/i text`."""
    return re.compile(r"(?:^|[;\n])\s*(?:\d+(?:,[\d$]+)?|\$|/((?:\\.|[^/\\\n])*)/(?:,(?:\d+|\$|/(?:\\.|[^/\\\n])*/))?)\s*(d|[aic]\\?\s*([^\n]*))")


def _commands(program: str) -> Iterator[Hunk]:
    """The hunks of a sed or perl program, as far as it is made of `s`, `d`, `a`, `i`, `c`."""
    for count, found in enumerate(_substitute().finditer(program[:_LOOKED_AT])):
        if count < _SUBSTITUTIONS:
            yield Hunk(removed=(found[2],), added=tuple(escaped(found[3]).split("\n")) if found[3] else ())
    for count, found in enumerate(_other().finditer(program[:_LOOKED_AT])):
        if count < _SUBSTITUTIONS:
            yield Hunk(removed=(found[1],) if found[1] else (), added=(found[3],) if found[3] else ())


@cache
def _writes() -> tuple[re.Pattern[str], ...]:
    r"""Calls that open a file for writing: group 1 is a quoted path, group 2 a name."""
    thing = r"(?:[rfbu]{0,2}['\"]([^'\"\n]{1,300})['\"]|([A-Za-z_][\w.]*))"
    return (
        re.compile(rf"\bopen\(\s*{thing}\s*,\s*(?:mode\s*=\s*)?['\"][rbt]*[wax+]"),
        re.compile(rf"\bPath\(\s*{thing}\s*\)\s*\.\s*(?:write_text|write_bytes|open\(\s*['\"][wax])"),
        re.compile(r"()\b([A-Za-z_]\w*)\s*\.\s*(?:write_text|write_bytes|open\(\s*['\"][wax])"),
        re.compile(rf"\b(?:writeFileSync|writeFile|appendFileSync|Deno\.writeTextFile|Bun\.write|File\.write)\(\s*{thing}"),
    )


@cache
def _names() -> re.Pattern[str]:
    """A name that is given a path."""
    return re.compile(
        r"^[ \t]*(?:const |let |var )?([A-Za-z_]\w*)\s*=\s*(?:pathlib\.)?(?:Path\(\s*)?[rfbu]{0,2}['\"]([^'\"\n]{1,300})['\"]\s*\)?\s*;?[ \t]*$", re.MULTILINE
    )


def opened(words: list[str], text: str | None) -> Iterator[Change]:
    """Files that a script on the command line or in a here-document opens for writing; every file where it does not say which."""
    program = text or ""
    for at, word in enumerate(words[1:-1], 1):
        if word in {"-c", "-e", "--eval"}:
            program = words[at + 1]
    if not program or not ("open" in program or "write" in program):
        return
    names = dict(_names().findall(program.replace(";", "\n")))
    paths = [found[1] or names.get(found[2], EVERYTHING) for pattern in _writes() for found in pattern.finditer(program)]
    for path in dict.fromkeys(paths):
        if path == EVERYTHING or (is_file(path) and not is_log(path)):
            yield Change(path=path, kind=EditKind.OPAQUE)
