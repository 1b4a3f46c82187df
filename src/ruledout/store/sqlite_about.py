"""What is to be known of the database library and of a store's file before trusting them: versions, journal, file system. Changes nothing."""

import os
import sqlite3
from contextlib import closing, suppress
from urllib.parse import quote

from ruledout.store import place
from ruledout.writes import Library


def about(path: str, mounts: str) -> Library:
    """The library, and the file where it is there. `mounts` is the text of `/proc/mounts`."""
    version = sqlite3.sqlite_version_info
    journal = ""
    if os.path.isfile(path):  # noqa: PTH113  # as the rest of this room
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True)) as file:
            journal = str(file.execute("PRAGMA journal_mode").fetchone()[0])
    sound = place.wal_is_sound((version[0], version[1], version[2]))
    return Library(sqlite=sqlite3.sqlite_version, wal_sound=sound, journal=journal, remote=place.remote(os.path.realpath(path), mounts) or "")
