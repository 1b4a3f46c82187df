# ruff: noqa: PTH113  # paths of another root are text here: `pathlib` would resolve them against ours
"""Reading a repository without trusting its configuration, and keeping trees of our own beside it.

Every git call runs in a bare repository of ours whose `objects/info/alternates` point at the user's objects: no hook, filter, alias, fsmonitor, replace
reference or configuration of theirs is ever read, and nothing of theirs is ever written. The work tree is hashed from its bytes, so that flags in the index
(`skip-worktree`, `assume-unchanged`) hide nothing. Docs: `docs/decisions/0030-trees-without-checkout.md`.
"""

import hashlib
import os
import re
import stat
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from ruledout.errors import BadInput, CannotRun
from ruledout.prove import process
from ruledout.prove.location import Site

LINK = "120000"
SUBMODULE = "160000"
_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tfilemode = true
\tsymlinks = true
\tautocrlf = false
\thooksPath = /dev/null
[protocol]
\tallow = never
"""
_PLAIN = "* -text -filter -ident -working-tree-encoding -diff -merge\n"
_COMMIT_AND_TREE = 2


class Entry(Struct, frozen=True):
    """A file in a tree: git mode (`100644`, `100755`, `120000`, `160000`) and object id."""

    mode: str
    oid: str


Entries = Mapping[str, Entry]


class Repository:
    """A repository seen from our own bare one in `folder`. `path` is the search path on which git is found."""

    def __init__(self, where: Site, folder: Path, path: str) -> None:
        """Lay out the bare repository; nothing of the user's is written."""
        self.site = where
        self.folder = folder
        git = process.find("git", path)
        if git is None:
            raise CannotRun("no-git", "git was not found on the PATH", "install git")
        self._git_program = git
        self._env = {
            "PATH": path,
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
            "GIT_DIR": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_ATTR_NOSYSTEM": "1",
        }
        self._lay_out()

    def _lay_out(self) -> None:
        common, gitdir = self.site.common, self.site.gitdir
        config = _read(common / "config")
        if re.search(r"(?im)^\s*refstorage\s*=\s*reftable", config):
            raise CannotRun("reftable", f"{common} keeps its references as a reftable, which is not read here", "give a repository with file references")
        wide = re.search(r"(?im)^\s*objectformat\s*=\s*sha256", config) is not None
        self._hash = hashlib.sha256 if wide else hashlib.sha1
        for name in ("objects/info", "objects/pack", "info"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "config").write_text(_CONFIG.format(version=1 if wide else 0) + ("[extensions]\n\tobjectformat = sha256\n" if wide else ""))
        (self.folder / "objects/info/alternates").write_text(f"{_one_line(common / 'objects')}\n")
        (self.folder / "info/attributes").write_text(_PLAIN)
        (self.folder / "info/exclude").write_text(_read(common / "info/exclude"))
        (self.folder / "HEAD").write_text(_read(gitdir / "HEAD"))
        for name in ("refs", "packed-refs", "shallow"):
            if (common / name).exists() and not (self.folder / name).exists():
                (self.folder / name).symlink_to(common / name)
        (self.folder / "refs").mkdir(exist_ok=True)
        for index in (gitdir / "index", *gitdir.glob("sharedindex.*")):
            if index.is_file():
                (self.folder / index.name).write_bytes(index.read_bytes())

    def _git(self, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, cwd: str | None = None) -> bytes:
        """Standard output of one git call; `CannotRun` with git's own words where it fails."""
        ended = process.quiet((self._git_program, "--no-pager", *arguments), cwd or str(self.folder), {**self._env, **(env or {})}, stdin)
        if ended.exit != 0:
            said = (ended.errors or ended.why.encode()).decode("utf-8", "replace").strip()[:500]
            raise CannotRun(
                "git-failed",
                f"git {arguments[0]} ended with {ended.exit if ended.exit is not None else ended.how}: {said}",
                "see that git can read the repository",
            )
        return ended.output

    def resolve(self, revision: str) -> tuple[str, str]:
        """Commit id and tree id of a revision. Raises `BadInput` for one that is none, or that git could take for an option."""
        if revision.startswith("-") or any(mark in revision for mark in "\n\0") or not revision:
            raise BadInput("bad-revision", f"{revision!r} cannot be a revision", "give a commit id, a branch or a tag")
        asked = f"{revision}^{{commit}}\n{revision}^{{tree}}\n".encode()
        lines = self._git("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked).decode("utf-8", "replace").splitlines()
        kinds = [line.split(" ") for line in lines]
        if len(kinds) != _COMMIT_AND_TREE or [kind[-1] for kind in kinds] != ["commit", "tree"]:
            raise BadInput("no-revision", f"{revision} names no commit in {self.site.root}", "give a commit id, a branch or a tag that is here")
        return kinds[0][0], kinds[1][0]

    def entries(self, tree: str) -> dict[str, Entry]:
        """All files of a tree by path."""
        found = {}
        for line in self._git("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree).split(b"\0"):
            if line:
                head, _, path = line.partition(b"\t")
                mode, _, oid = head.decode().split(" ")
                found[os.fsdecode(path)] = Entry(mode, oid)
        return found

    def tracked(self) -> dict[str, tuple[str, Entry]]:
        """What the index holds: path to (flag of `ls-files -v`, entry). Small letters and `S` are the flags that hide changes from git's status."""
        found = {}
        for line in self._git("ls-files", "-z", "-s", "-v", env=self._at_work_tree(), cwd=str(self.site.root)).split(b"\0"):
            if line:
                head, _, path = line.partition(b"\t")
                flag, mode, oid, _ = head.decode().split(" ")
                found[os.fsdecode(path)] = (flag, Entry(mode, oid))
        return found

    def others(self, excludes: str | None) -> tuple[list[str], list[str]]:
        """Paths beside the tracked ones: (not ignored, ignored; a wholly ignored folder is one path with `/` at its end)."""
        extra = (f"--exclude-from={excludes}",) if excludes and os.path.isfile(excludes) else ()
        there: dict[str, str] = self._at_work_tree()
        lists = []
        for how in (("-o",), ("-o", "-i", "--directory")):
            out = self._git("ls-files", "-z", *how, "--exclude-standard", *extra, env=there, cwd=str(self.site.root))
            lists.append([os.fsdecode(path) for path in out.split(b"\0") if path])
        return lists[0], lists[1]

    def _at_work_tree(self) -> dict[str, str]:
        return {"GIT_WORK_TREE": str(self.site.root), "GIT_INDEX_FILE": str(self.folder / "index")}

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of several blobs, in one call."""
        wanted = list(dict.fromkeys(oids))
        out = self._git("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in wanted).encode()) if wanted else b""
        found, at = {}, 0
        for oid in wanted:
            end = out.index(b"\n", at)
            head = out[at:end].split(b" ")
            if len(head) != 3:
                raise CannotRun("missing-object", f"object {oid} is missing from {self.site.root}", "fetch the whole history (a partial clone lacks objects)")
            size = int(head[2])
            found[oid] = out[end + 1 : end + 1 + size]
            at = end + 2 + size
        return found

    def oid(self, data: bytes, kind: str = "blob") -> str:
        """The id that git gives to these bytes."""
        return self._hash(b"%s %d\0" % (kind.encode(), len(data)) + data).hexdigest()

    def put(self, data: bytes, kind: str = "blob") -> str:
        """Keep an object in our own store; its id."""
        oid = self.oid(data, kind)
        where = self.folder / "objects" / oid[:2] / oid[2:]
        if not where.exists():
            where.parent.mkdir(exist_ok=True)
            where.write_bytes(zlib.compress(b"%s %d\0" % (kind.encode(), len(data)) + data, 1))
        return oid

    def put_tree(self, entries: Entries) -> str:
        """Write the tree of these files; its id, the same that git would give."""
        folders: dict[str, dict[bytes, tuple[str, str]]] = {"": {}}
        for path, entry in entries.items():
            parent, _, name = path.rpartition("/")
            _open(folders, parent)[os.fsencode(name)] = (entry.mode, entry.oid)
        for path in sorted(folders, key=lambda path: -path.count("/") if path else 1):
            oid = self.put(_tree_bytes(folders[path]), "tree")
            if not path:
                return oid
            parent, _, name = path.rpartition("/")
            folders[parent][os.fsencode(name)] = ("40000", oid)
        raise AssertionError("the root is always there")

    def check_out(self, tree: str, into: Path) -> None:
        """Write a tree's files below an empty folder: modes and links kept, no filters, no hooks; git itself refuses paths that lead outside."""
        index = {"GIT_INDEX_FILE": str(self.folder / f"tree-{tree}"), "GIT_WORK_TREE": str(into)}
        if not Path(index["GIT_INDEX_FILE"]).exists():
            self._git("read-tree", "--end-of-options", tree, env=index)
        into.mkdir(parents=True, exist_ok=True)
        self._git("checkout-index", "-a", "-f", "-q", env=index, cwd=str(into))


def entry_of(repository: Repository, path: Path) -> tuple[Entry, bytes] | None:
    """A file of the work tree as an entry and its bytes, not yet kept; None for what git would not take (a folder, a socket, nothing)."""
    try:
        seen = path.lstat()
        if stat.S_ISLNK(seen.st_mode):
            data = os.fsencode(path.readlink())
            return Entry(LINK, repository.oid(data)), data
        if not stat.S_ISREG(seen.st_mode):
            return None
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise CannotRun("unreadable-file", f"{path}: {error.strerror}", "make the file readable") from error
    return Entry("100755" if seen.st_mode & 0o100 else "100644", repository.oid(data)), data


def _open(folders: dict[str, dict[bytes, tuple[str, str]]], path: str) -> dict[bytes, tuple[str, str]]:
    """The folder's own table, made with all its parents."""
    if path not in folders:
        folders[path] = {}
        if path:
            _open(folders, path.rpartition("/")[0])
    return folders[path]


def _tree_bytes(folder: Mapping[bytes, tuple[str, str]]) -> bytes:
    """A tree object: entries in git's order, where a folder sorts as if it ended in `/`."""
    order = sorted(folder.items(), key=lambda item: item[0] + (b"/" if item[1][0] == "40000" else b""))
    return b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for name, (mode, oid) in order)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""


def _one_line(path: Path) -> str:
    """A path as the alternates file takes it: one a line."""
    text = str(path)
    if "\n" in text:
        raise BadInput("bad-path", f"{text!r} holds a line end", "move the repository")
    return text
