"""The dead-assertion check on the real tree: the named Python tests with their expectations changed must go red."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ruledout.model.gate import Reason
from ruledout.prove import canary, mutants
from ruledout.prove.git import Entry
from ruledout.prove.lab import Lab
from ruledout.prove.mutants import Mutation
from ruledout.prove.reading import CANNOT, FAILED, Seen, State
from ruledout.prove.refusals import reason

_FUNCTIONS = 5
_FILES = 300


class Target(Struct, frozen=True, kw_only=True):
    """A named test in its file, with the expectations that can be changed; `body`: there are none, so that the test itself is made to fail."""

    ids: tuple[str, ...]
    path: str
    qualified: str
    source: str
    mutations: tuple[Mutation, ...]
    body: bool = False


def check(lab: Lab, tests: Sequence[str], seed: int) -> tuple[tuple[Reason, ...], tuple[str, ...]]:
    """Reasons against the named tests, and facts for the receipt (`assertions=2 of 3 changed, all red`).

    Tests of several functions are changed together, one expectation each: each must go red by itself. At most two runs, at most five functions.
    """
    targets = [*_targets(lab, tests), *_elsewhere(lab, tests)]
    usable = [target for target in targets if target.mutations][:_FUNCTIONS]
    if not usable:
        return (), ("assertions=none that can be changed",)
    rounds = [[(target, target.mutations[-1]) for target in usable], [(target, target.mutations[0]) for target in usable if len(target.mutations) > 1]]
    rounds = [chosen for chosen in rounds if chosen]
    for chosen, seen in zip(rounds, lab.run_both([_with(lab, chosen) for chosen in rounds], seed), strict=True):
        if seen.state in CANNOT:
            return (), (f"assertions_run={seen.state}",)
        for target, mutation in chosen:
            if _stayed_green(seen, target):
                what = "its body was made to fail" if target.body else "what it expects was changed"
                return (reason("dead_assertion", f"{target.path}:{mutation.line}: {target.qualified} passes although {what}"),), ()
    return (), _told(usable, rounds, len(targets))


def _told(usable: Sequence[Target], rounds: Sequence[Sequence[tuple[Target, Mutation]]], number: int) -> tuple[str, ...]:
    """What was changed, for the receipt."""
    changed = sum(not target.body for chosen in rounds for target, _ in chosen)
    bodies = sum(target.body for target in usable)
    first = f"{changed} changed in {len(usable) - bodies} of {number} tests, all red" if changed else "none that can be changed"
    return (f"assertions={first}", *([f"bodies={bodies} of {number} tests made to fail, all red"] if bodies else []))


def _stayed_green(seen: Seen, target: Target) -> bool:
    """Not one of the test's cases went red."""
    if seen.state is State.GREEN:
        return True
    return any(name in seen.tests for name in target.ids) and not any(seen.tests.get(name) in FAILED for name in target.ids)


def _with(lab: Lab, chosen: Sequence[tuple[Target, Mutation]]) -> str:
    """The whole patch's tree with these expectations changed."""
    files = dict(lab.patch.files)
    for path in {target.path for target, _ in chosen}:
        here = [(target, mutation) for target, mutation in chosen if target.path == path]
        data = mutants.apply(here[0][0].source, [mutation for _, mutation in here]).encode("utf-8", "surrogateescape")
        files[path] = Entry(files[path].mode, lab.repository.put(data))
    return lab.repository.put_tree(files)


def _targets(lab: Lab, tests: Sequence[str]) -> Iterator[Target]:
    """The functions behind the ids, each once, with all its cases."""
    found: dict[tuple[str, str], list[str]] = {}
    for test in tests:
        where = locate(test, sorted(lab.patch.files), lab.request.cwd)
        if where is not None:
            found.setdefault(where, []).append(test)
    sources: dict[str, str] = {}
    for (path, qualified), ids in found.items():
        if path not in sources:
            oid = lab.patch.files[path].oid
            sources[path] = lab.repository.blobs((oid,))[oid].decode("utf-8", "replace")
        source = sources[path]
        if "\ufffd" not in source and "\r" not in source and not source.startswith("\ufeff"):
            changes = mutants.mutations(source, qualified)
            body = () if changes else canary.python(source, qualified)
            yield Target(ids=tuple(ids), path=path, qualified=qualified, source=source, mutations=changes or body, body=bool(body))


def _elsewhere(lab: Lab, tests: Sequence[str]) -> Iterator[Target]:
    """The same for tests of other languages: every place where a test of this title stands is made to fail."""
    wanted = {test: canary.candidates(test, sorted(lab.patch.files)) for test in tests if locate(test, sorted(lab.patch.files), lab.request.cwd) is None}
    small = [path for paths in wanted.values() for path in paths][:_FILES]
    blobs = lab.repository.blobs(lab.patch.files[path].oid for path in dict.fromkeys(small))
    seen: set[tuple[str, int]] = set()
    for test, paths in wanted.items():
        for path in paths:
            source = blobs.get(lab.patch.files[path].oid, b"").decode("utf-8", "replace")
            changes = canary.others(test, path, source) if "\ufffd" not in source else ()
            if changes and (path, changes[0].start) not in seen:
                seen.add((path, changes[0].start))
                yield Target(ids=(test,), path=path, qualified=test, source=source, mutations=changes, body=True)


def locate(test: str, files: Sequence[str], cwd: str) -> tuple[str, str] | None:
    """File and qualified name of a test id, pytest's (`tests/test_a.py::C::test_b[x]`) or unittest's (`tests.test_a.C.test_b`)."""
    path, _, rest = test.partition("::")
    if rest and path.endswith(".py"):
        file = _file(lambda known: known == path or known.endswith("/" + path), files, cwd)
        return (file, rest.partition("[")[0].replace("::", ".")) if file is not None else None
    parts = test.split(".")
    for length in range(len(parts) - 1, 0, -1):
        name = "/".join(parts[:length]) + ".py"
        file = _file(lambda known, name=name: known == name or known.endswith("/" + name), files, cwd)  # type: ignore[misc]  # the name is bound now
        if file is not None:
            return file, ".".join(parts[length:])
    return None


def _file(matches: Callable[[str], bool], files: Sequence[str], cwd: str) -> str | None:
    """The one file that matches: below the working folder first, else the only one."""
    found = [known for known in files if matches(known)]
    near = [known for known in found if cwd == "." or known.startswith(cwd.rstrip("/") + "/")]
    for some in (near, found):
        if len(some) == 1:
            return some[0]
    return min(found, key=len) if found else None
