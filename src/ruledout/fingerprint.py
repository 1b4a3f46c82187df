"""Exact keys of acts: what an edit or a command is recognised by when it is made again.

Equal keys mean the same act, so nothing that changes a program may be folded: indentation counts, in a hunk and of a hunk as a whole. Likeness
is not decided here (`recall` ranks it).
"""

from ruledout.digest import short

TYPE_CHECKING = False  # the checker takes this name for true; `typing`, `re` and `collections` would take half of a hook's time
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Sequence


def edit(path: str, removed: "Sequence[str]", added: "Sequence[str]") -> str:
    r"""`e1:<32 hex>` of one hunk in one file, lines with or without their ends.

    The path is taken with `/`, without `./` and doubled slashes; white space at line ends does not count; lines that stand on both sides at either
    end are context and do not count. So the same change shown with more context, or with CRLF, has the same key (but for an insertion between equal
    lines that could as well stand one lower: two readings of one text, two keys). The place in the file is not in it: two equal insertions in one
    file share a key, and whoever concludes from a key must see to it that the winning change does not bear it (R4).
    """
    return "e1:" + _hash([_path(path)], *_core(removed, added))


def edit_anywhere(removed: "Sequence[str]", added: "Sequence[str]") -> str:
    """`a1:<32 hex>` of the same hunk in whatever file, to find it again after a rename. Never enough to rule anything out."""
    return "a1:" + _hash(*_core(removed, added))


def command(command: str) -> str:
    r"""`c1:<32 hex>` of a shell command.

    Runs of blanks outside quotes count as one, `\` at a line's end as a blank, blank lines not at all; a leading `cd X &&` stays. From a
    here-document on the text is taken as it is, for there white space may be program.
    """
    return "c1:" + _hash([_folded(command)])


def _hash(*groups: "Iterable[str]") -> str:
    """32 hex digits over groups of texts, each group and text with its length before it, so that no two inputs share an encoding."""
    parts: list[bytes] = []
    for group in groups:
        texts = [text.encode("utf-8", "surrogatepass") for text in group]
        parts.append(b"%d;" % len(texts))
        parts.extend(b"%d:%b" % (len(text), text) for text in texts)
    return short(b"".join(parts))


def _path(path: str) -> str:
    """One spelling of a path: `/`, no `.` steps, no doubled slashes. `..` stays, for a link may stand before it."""
    path = path.replace("\\", "/")
    lead = "/" if path.startswith("/") else ""
    return lead + "/".join(step for step in path.split("/") if step not in ("", "."))


def _core(removed: "Sequence[str]", added: "Sequence[str]") -> tuple[list[str], list[str]]:
    """Both sides without white space at line ends and without the context that they share at their ends."""
    old, new = [line.rstrip() for line in removed], [line.rstrip() for line in added]
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    old, new = old[head:], new[head:]
    least = min(len(old), len(new))
    tail = next((at for at in range(least) if old[-1 - at] != new[-1 - at]), least)
    return old[: len(old) - tail], new[: len(new) - tail]


_TOKENS: "list[re.Pattern[str]]" = []


def _tokens() -> "re.Pattern[str]":
    """Quoted text, an escaped character, a here-document with all behind it, white space, or plain text: together they cover every command."""
    if not _TOKENS:
        import re  # only for commands

        _TOKENS.append(re.compile(r"(?s)(?P<quoted>'[^']*'?|\"(?:[^\"\\]|\\.)*\"?|\\[^\n])|(?P<here><<(?!<).*)|(?P<blank>(?:\s|\\\n)+)|[^\s'\"\\<]+|."))
    return _TOKENS[0]


def _folded(command: str) -> str:
    """The command with its white space outside quotes folded; `<<` and what follows as it stands."""
    parts = []
    for match in _tokens().finditer(command.strip().replace("\r\n", "\n")):
        text = match.group()
        if match.lastgroup == "blank":
            text = "\n" if "\n" in text.replace("\\\n", "") else " "
        parts.append(text)
    return "".join(parts)
