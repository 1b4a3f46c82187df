"""The formats that are read, and where their sessions are looked for: from the readers' docstrings and the one table of places, laid out by platform."""

import re
from importlib import import_module
from pathlib import Path

from built.cli import cell

SYSTEMS = {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}
# Paragraphs that tell contributors how the reader is made, and readers of the page nothing.
EDITOR = re.compile(r"(?<=/)(?:Code|Code - Insiders|VSCodium|Cursor|Windsurf)(?=/User/)")
INSIDE = re.compile(r"^`shapes` says|^Real files seen")


def sections(_root: Path) -> str:
    """A section for each reader: what its docstring says of the format, and which agents' places hold it."""
    from ruledout.read.detect import READERS

    parts = []
    for name, module in READERS.items():
        said = (import_module(module).__doc__ or "").strip()
        paragraphs = [part for part in said.split("\n\n") if not INSIDE.match(part)]
        parts.append(f"### `{name}`\n\n" + "\n\n".join(paragraphs) + "\n")
    return "\n" + "\n".join(parts) + "\n"


def places(_root: Path) -> str:
    """The table of places: the folders as they are without any variable set; one row for all editors, and for places that are one on each platform."""
    from ruledout.sources.places import PLACES, REPOSITORY, Machine, root_of, variables

    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for place in PLACES:
        moved = ", ".join(f"`{name}`" for name in variables(place)) or "nothing"
        what = (
            f"counted: {place.refused}"
            if place.refused
            else f"folders of `{place.events}`"
            if place.events
            else f"with `{place.pieces}`"
            if place.pieces
            else "read"
        )
        cells = {system: root_of(place, Machine(home="~", system=system, env={}, repository=REPOSITORY[1:])) for system in SYSTEMS}
        found = {system: EDITOR.sub("EDITOR", f"`{root}/{place.pattern}`") for system, root in cells.items() if root}
        key = (place.agent, place.pattern, what)
        taken = next((row for other, row in rows.items() if other[:3] == key and not (found.keys() & row.keys() - {"moved"})), None)
        (rows.setdefault((*key, *found.values()), {"moved": moved}) if taken is None else taken).update(found)
    head = ["| agent | " + " | ".join(SYSTEMS.values()) + " | moved by | what lies there |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *(_row(key, row) for key, row in rows.items()), ""])


def _row(key: tuple[str, ...], row: dict[str, str]) -> str:
    linux = row.get("linux", "")
    others = ["the same" if row.get(system) == linux else row.get(system, "none") for system in ("darwin", "win32")]
    return "| " + " | ".join(map(cell, (key[0], linux or "none", *others, row["moved"], key[2]))) + " |"
