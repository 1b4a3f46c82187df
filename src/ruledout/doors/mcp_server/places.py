"""Where the things lie that a client names: its roots, a session file. Opens nothing; streams, devices of the network and what is no path are refused."""

import os
from collections.abc import Sequence

from ruledout import wiring
from ruledout.errors import BadInput


def repository_in(roots: Sequence[object]) -> str | None:
    """The first of a client's roots (`{"uri": "file:///..."}`) that lies in a repository, or None."""
    uris = [root.get("uri") for root in roots if isinstance(root, dict)]
    return next((folder for uri in uris if isinstance(uri, str) and (folder := _folder(uri)) is not None and wiring.repository_of(folder)), None)


def _folder(uri: str) -> str | None:
    """The path that a `file:` URI of this machine names, or None."""
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="surrogateescape")
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or path.startswith(("//", "\\\\")):
        return None
    return path[1:] if path[2:3] == ":" else path  # `/C:/work` is a drive of Windows


def session_path(name: str, repo: str | None) -> str:
    """The session file that an agent names, as a whole path; a relative one is of the repository. Raises `BadInput` (`not-a-file`)."""
    if name in ("", "-") or "\0" in name or name.startswith(("//", "\\\\", "/dev/", "/proc/")):
        raise BadInput("not-a-file", "`session` is no file of this machine's disks", "give the path of a session file, or leave `session` out")
    return os.path.abspath(os.path.join(str(wiring.repository(repo) or repo or "."), os.path.expanduser(name)))  # noqa: PTH100, PTH111, PTH118  # keeps links
