"""A place on the disk as it is the same on every machine: relative to its package, or its base name, without line numbers.

It knows no work tree: what is printed relative stays relative; what is absolute is cut at the last marker that says where a package begins, or to
its base name. It refuses to touch the disk.
"""

import re
from collections.abc import Callable

from ruledout.observe.late import Late

_LINES = Late(r"(?:(?::\d{1,7}){1,2}|\(\d{1,7}(?:,\d{1,5})?\))$")
_ROOTS = Late(
    r"^.*(?:/(?:site|dist)-packages/|/node_modules/|/\.cargo/registry/src/[^/]+/|/pkg/mod/|/rustc/[^/]+/(?:library/)?)",
    re.DOTALL,
)
_STDLIB = Late(r"^.*?(?:/lib(?:64)?/python\d(?:\.\d+)?/|/go/src/(?=runtime/|net/|testing/|os/|io/|reflect/|sync/)|/libexec/src/|node:internal/)")
_ROOTED = ("-packages/", "/node_modules/", "/.cargo/", "/pkg/mod/", "/rustc/")
_LIBRARIES = ("/lib", "/go/src/", "node:internal/")
"""one of these stands in whatever `_ROOTS`, or `_STDLIB`, finds"""
_VERSION = Late(r"(?<=[\w])[-@]v?\d+(?:\.\d+){1,3}(?:[-.+][\w.]+)?(?=/|$)")
_SYSTEM = Late(r"^/(?:etc|usr|bin|sbin|lib|lib64|dev|proc|sys|boot)(?:/|$)|^/var/(?:log|run|lib)/")
_TEMP = Late(r"^(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)(?:/|$)|/(?:Temp|TEMP|tmp)/|^[a-z]:/(?:.*/)?(?:temp|tmp)/", re.IGNORECASE)
_ENDING = Late(r"\.[a-z]{1,5}$")
_COUNTED = Late(r"^(?:tmp[\w.-]{4,}|pytest-(?:of-.*|\d+)|\d{2,})$")
_COMPILERS = Late(r"^cc[A-Za-z0-9]{6}$")
_MIXED = Late(r"[A-Z].*[a-z]|[a-z].*[A-Z]|\d")
_JOINT = Late(r"[-_.]")


def place(text: str, slot: Callable[[str, str], str]) -> str:
    """The place without line numbers and without what one machine adds. `slot` is asked for a temp folder's place."""
    path = _LINES.sub("", text).replace("\\", "/")
    path = re.sub(r"(?<!^)/{2,}", "/", path)
    if re.match(r"[A-Za-z]:/", path):
        path = path[0].lower() + path[1:]
    elif not path.startswith(("/", "~")):
        return path
    tail = "." if path.endswith(".") else ""
    return _cut(path.rstrip("."), slot) + tail


def _cut(path: str, slot: Callable[[str, str], str]) -> str:
    inside = packaged(path)
    if inside is not None:
        return inside
    if _TEMP.search(path):
        return _temp(path, slot)
    if _SYSTEM.match(path) or path.count("/") < 2:
        return path
    return path.rstrip("/").rsplit("/", 1)[-1]


def packaged(path: str) -> str | None:
    """The part of a library's path that every machine has, without versions, or None for a path that is in no known package folder."""
    found = _ROOTS.match(path) if any(word in path for word in _ROOTED) else None
    if found:
        return _VERSION.sub("", path[found.end() :])
    found = _STDLIB.match(path) if any(word in path for word in _LIBRARIES) else None
    return f"<stdlib>/{path[found.end() :]}" if found else None


def _temp(path: str, slot: Callable[[str, str], str]) -> str:
    """`<tmp>` for the random part, and the last name where it is none; a checkout below a temp folder is like any other."""
    steps = [step for step in path.split("/") if step]
    wild = [step for step in steps[1:] if is_random(step)]
    if not wild:
        return steps[-1] if len(steps) > 1 else path
    last = steps[-1]
    if not is_random(last):
        return slot("tmp", "/".join(steps[:-1])) + "/" + re.sub(r"(?<=[a-z_])\d+$", "", last)
    stem, dot, ending = last.rpartition(".")
    return slot("tmp", path) + (dot + ending if stem and ending.isalpha() and len(ending) < 5 else "")


def is_random(name: str) -> bool:
    """Does a program make such a name: `tmpab12cd`, `ccX9f3Qa.o`, `pytest-12`, `build-8fK2lq`, all digits."""
    stem = _ENDING.sub("", name)
    if _COUNTED.match(stem):
        return True
    if _COMPILERS.match(stem):
        return bool(_MIXED.search(stem[2:]))
    last = _JOINT.sub(" ", stem).rsplit(" ", 1)[-1]
    return len(last) >= 6 and any(map(str.isdigit, last)) and any(map(str.isalpha, last))
