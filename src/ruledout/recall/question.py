"""What is about to be tried, and the exact keys under which it may be known as a dead end.

A diff counts hunk by hunk. Refuses nothing: a question without structure has no keys.
"""

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from ruledout import fingerprint, redact, text
from ruledout.model.attempt import Conditions
from ruledout.ports import Key
from ruledout.recall.hunks import FileHunk, hunks


class AskedEdit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An edit of one file about to be made. Lines without line ends; a single string is split into lines."""

    path: str
    removed: tuple[str, ...] | str = ()
    added: tuple[str, ...] | str = ()


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is about to be tried, in any of four forms. `signature` is the normalised id of a failure just seen, `now` the conditions that hold (R10)."""

    id: str | int | UnsetType | None = UNSET
    idea: str | None = None
    command: str | None = None
    diff: str | None = None
    edit: AskedEdit | None = None
    signature: str | None = None
    now: Conditions | None = None


class Piece(Struct, frozen=True):
    """One hunk of the question: its fingerprint as a whole, and those of its runs of changed lines."""

    whole: frozenset[str]
    groups: tuple[frozenset[str], ...]

    def all(self) -> frozenset[str]:
        """Every fingerprint in it."""
        return self.whole.union(*self.groups)

    def within(self, prints: frozenset[str]) -> bool:
        """Whether these fingerprints account for the whole hunk."""
        return bool(self.whole & prints) or (bool(self.groups) and all(group & prints for group in self.groups))


def keys(question: Question) -> tuple[Key, ...]:
    """The exact keys to look up: every hunk's fingerprints, the command's, what may acquit them, the signature."""
    prints = sorted(frozenset().union(*(piece.all() for piece in pieces(question))))
    asked = [key for print_ in prints for key in (Key("edit", print_), Key("survived", print_))]
    if question.command and question.command.strip():
        command = command_print(question.command)
        asked += [Key("command", command), Key("survived", command)]
    return (*asked, Key("normalised", question.signature)) if question.signature else tuple(asked)


def command_print(command: str) -> str:
    """The fingerprint of a command as a reader would have kept it."""
    return fingerprint.command(_safe(command))


def pieces(question: Question) -> tuple[Piece, ...]:
    """The hunks of a question that change something."""
    found = [_piece_of_hunk(hunk) for hunk in hunks(question.diff)] if question.diff else []
    if question.edit:
        found.append(Piece(_prints(question.edit.path, _lines(question.edit.removed), _lines(question.edit.added)), ()))
    return tuple(piece for piece in found if piece.whole)


def _piece_of_hunk(hunk: FileHunk) -> Piece:
    groups = hunk.groups()
    return Piece(_prints(hunk.path, hunk.removed, hunk.added), tuple(_prints(group.path, group.removed, group.added) for group in groups))


def _prints(path: str, removed: Sequence[str], added: Sequence[str]) -> frozenset[str]:
    """The fingerprint, which leaves context out itself; none for an edit that changes nothing, for then every such edit would be one."""
    if [line.rstrip() for line in removed] == [line.rstrip() for line in added]:
        return frozenset()
    return frozenset({fingerprint.edit(_safe(path), _safe_lines(removed), _safe_lines(added))})


def _lines(given: Sequence[str]) -> Sequence[str]:
    """The lines of a string; a line end at its end ends the last line and begins no other."""
    if not isinstance(given, str):
        return given
    return given.removesuffix("\n").split("\n") if given else ()


def _safe(raw: str) -> str:
    """As a reader makes it before anything is fingerprinted: a key is over what was kept, and secrets were not (R13)."""
    return redact.redact(text.clean(raw.encode("utf-8", "replace").decode()))


def _safe_lines(rows: Sequence[str]) -> Sequence[str]:
    return _safe("\n".join(rows)).split("\n") if rows else ()
