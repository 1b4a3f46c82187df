# a link in the path must be followed to its end
"""Where a repository lives, found by reading files: no process, no configuration."""

import os
from pathlib import Path

from msgspec import Struct

from ruledout.errors import BadInput


class Site(Struct, frozen=True, kw_only=True):
    """Where a repository lives: its work tree, its git folder, and the common folder that all its work trees share."""

    root: Path
    gitdir: Path
    common: Path


def site(root: str) -> Site:
    """Find the git folders by reading files, without starting git. Raises `BadInput` for a folder that is no repository's top."""
    top = Path(os.path.realpath(root))
    dot = top / ".git"
    if dot.is_file():
        told = dot.read_text("utf-8", "replace").strip().removeprefix("gitdir:").strip()
        gitdir = Path(os.path.realpath(top / told))
    else:
        gitdir = dot
    if not (gitdir / "HEAD").is_file():
        raise BadInput("no-repository", f"{root} is not the top folder of a git repository", "give the folder that holds .git")
    shared = gitdir / "commondir"
    common = Path(os.path.realpath(gitdir / shared.read_text().strip())) if shared.is_file() else gitdir
    return Site(root=top, gitdir=gitdir, common=common)
