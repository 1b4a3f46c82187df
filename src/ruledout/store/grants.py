# ruff: noqa: PTH101, PTH102, PTH103, PTH108, PTH118, PTH120, PTH123, PTH208  # pathlib would cost every hook its start-up
"""The user's leave to run what is stored (R12): one file for each grant in the user's own state directory, 0600 in 0700.

A grant is for exactly its facts: the key is their digest, and a file whose facts do not have its key is refused. No wildcard, no grant for a repository.
What others could have written (a file that is not this user's, or that a group may write to or read) is refused and never used: a checked-out file has other
modes, so no repository can bring grants along. One file each, so that two processes cannot lose each other's.
"""

import os
import re
import stat

import msgspec
from msgspec import to_builtins

from ruledout import digest
from ruledout.errors import BadInput, CannotRun
from ruledout.ports import Clock
from ruledout.rerun import Grant, TrustFacts
from ruledout.store import place

_SUFFIX = ".json"
_KEY = re.compile(r"[0-9a-f]{6,64}")


def key_of(facts: TrustFacts) -> str:
    """64 hex digits over all facts."""
    return digest.tagged("trust", to_builtins(facts)).rpartition(":")[2]


class Folder:
    """Implements `rerun.Grants` on one folder."""

    def __init__(self, path: str, clock: Clock) -> None:
        """Make nothing yet."""
        self._path = path
        self._clock = clock

    def listed(self) -> tuple[Grant, ...]:
        """All grants, oldest first. Raises `CannotRun` (`bad-trust-file`)."""
        try:
            names = sorted(os.listdir(self._path))
        except FileNotFoundError:
            return ()
        self._own(self._path, folder=True)
        found = [self._read(os.path.join(self._path, name)) for name in names if name.endswith(_SUFFIX)]
        return tuple(sorted(found, key=lambda grant: (grant.at, grant.key)))

    def grant(self, facts: TrustFacts, subject: str) -> Grant:
        """Add one; granting again is granting once."""
        made = Grant(key=key_of(facts), subject=subject, at=self._clock.now(), facts=facts)
        os.makedirs(os.path.dirname(self._path) or ".", exist_ok=True)
        try:
            os.mkdir(self._path, place.PRIVATE_FOLDER)
            os.chmod(self._path, place.PRIVATE_FOLDER)
        except FileExistsError:
            self._own(self._path, folder=True)
        place.write_whole(os.path.join(self._path, made.key + _SUFFIX), msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")
        return made

    def revoke(self, key: str) -> Grant:
        """Take one out by the start of its key, at least six hex digits."""
        found = [grant for grant in self.listed() if _KEY.fullmatch(key.lower()) and grant.key.startswith(key.lower())]
        if len(found) != 1:
            seen = "no grant" if not found else f"{len(found)} grants"
            raise BadInput("unknown-grant", f"{seen} with a key that starts with {key[:64]!a}", "see `ruledout trust --list`")
        os.unlink(os.path.join(self._path, found[0].key + _SUFFIX))
        return found[0]

    def _read(self, path: str) -> Grant:
        self._own(path)
        try:
            with open(path, "rb") as file:
                found = msgspec.json.decode(file.read(), type=Grant)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _bad(path, f"it cannot be read: {error}") from None
        if key_of(found.facts) != found.key or os.path.basename(path) != found.key + _SUFFIX:  # noqa: PTH119  # a name, no path
            raise _bad(path, "its facts are not those that were granted")
        return found

    def _own(self, path: str, *, folder: bool = False) -> None:
        """Refuse what others could have written."""
        seen = os.lstat(path)
        wanted = stat.S_ISDIR(seen.st_mode) if folder else stat.S_ISREG(seen.st_mode)
        if not wanted or (os.name == "posix" and (seen.st_uid != os.getuid() or stat.S_IMODE(seen.st_mode) & 0o077)):
            raise _bad(path, "others could have written it, or it is a link")


def _bad(path: str, seen: str) -> CannotRun:
    return CannotRun("bad-trust-file", f"{path}: {seen}", "look at it, and remove it; then allow what you want allowed again")
