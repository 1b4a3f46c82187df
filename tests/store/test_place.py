"""Where a store's file stands, and which SQLite may be trusted with what."""

import pytest

from ruledout.store import place

MOUNTS = r"""/dev/vda / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /home/team nfs4 rw 0 0
//server/share /mnt/my\040share cifs rw 0 0
drvfs /mnt/c 9p rw 0 0
someone@host:/ /home/me/remote fuse.sshfs rw 0 0
/dev/vdb /home/team/local ext4 rw 0 0
"""
PATHS = {
    "a local disk": ("/home/me/shop/.git/ruledout/ruledout.db", None),
    "a network mount": ("/home/team/shop/.git/ruledout/ruledout.db", "nfs4"),
    "a local disk under a network mount": ("/home/team/local/shop/store.db", None),
    "a name that only starts like a mount": ("/home/teamwork/store.db", None),
    "a share with a blank in its name": ("/mnt/my share/store.db", "cifs"),
    "a Windows drive": ("/mnt/c/store.db", "9p"),
    "a mount of a user's own": ("/home/me/remote/store.db", "fuse.sshfs"),
    "the mount itself": ("/mnt/c", "9p"),
}


@pytest.mark.parametrize(("path", "expected"), PATHS.values(), ids=PATHS)
def test_a_network_file_system_is_known_by_its_mount(path: str, expected: str | None) -> None:
    assert place.remote(path, MOUNTS) == expected


def test_without_a_list_of_mounts_none_is_remote() -> None:
    assert place.remote("/home/team/x", "") is None
    assert place.remote("/home/team/x", "garbage\n\n") is None


VERSIONS = {
    (3, 6, 23): False,
    (3, 40, 1): False,
    (3, 44, 5): False,
    (3, 44, 6): True,
    (3, 45, 0): False,
    (3, 50, 6): False,
    (3, 50, 7): True,
    (3, 51, 2): False,
    (3, 51, 3): True,
    (3, 52, 0): False,
    (3, 53, 0): True,
}


@pytest.mark.parametrize(("version", "sound"), VERSIONS.items(), ids=str)
def test_only_a_sqlite_known_free_of_the_fault_may_keep_a_write_ahead_log(version: tuple[int, int, int], sound: bool) -> None:  # noqa: FBT001  # a table's column
    assert place.wal_is_sound(version) is sound
