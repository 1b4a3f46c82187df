"""A file that is ours as a whole: the plug-in for opencode. Told by its first line; another's file of the same name is refused."""

from ruledout.agents.settings import Added, Want, unreadable

MARK = "// ruledout: "


def add(text: str, wants: tuple[Want, ...]) -> Added:
    """As `Syntax.add` says. An older text of ours is replaced."""
    if not missing(text, wants):
        return Added(text=text)
    made = str(wants[0].value)
    return Added(text=made, spans=((0, len(made)),))


def missing(text: str, wants: tuple[Want, ...]) -> tuple[Want, ...]:
    """As `Syntax.missing` says."""
    if text and not text.startswith(MARK):
        raise unreadable(text, 0, "this file is another's", "give it another name, and run this again; nothing was changed")
    return tuple(want for want in wants if text != want.value)


def remove(text: str, mine: frozenset[str], made: tuple[str, ...] | None) -> str:  # noqa: ARG001  # as every syntax is asked
    """As `Syntax.remove` says: nothing is left of a file of ours."""
    return "" if text.startswith(MARK) else text
