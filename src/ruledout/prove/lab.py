# ruff: noqa: PTH101, PTH113, PTH114, PTH117, PTH118  # paths of another root are text here: `pathlib` would resolve them against ours
"""A place to run one gate on trees of a repository: everything made once, thrown away at the end, whatever happens.

The prover runs base, patch and revert here; ablation, boundaries and replays use the same place. It judges nothing.
"""

import contextlib
import itertools
import os
import shlex
import shutil
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from msgspec import structs

from ruledout.errors import BadInput, CannotRun
from ruledout.model.gate import Isolation
from ruledout.ports import ProofRequest
from ruledout.prove import argv as gate_argv
from ruledout.prove import git, location, machine, patch, process, reading, runners, sandbox, surroundings
from ruledout.prove.reading import Seen
from ruledout.prove.report import Prepared, Report
from ruledout.prove.runners import pytest

_PREFIX = "ruledout-run-"


class Lab:
    """Use as a context manager. `patch` is what was found to prove; `run` runs the gate on a tree id that `repository` holds."""

    def __init__(
        self, environment: Mapping[str, str], request: ProofRequest, *, wanted: Isolation | None = None, network: str = "off", shown: Sequence[str] = ()
    ) -> None:
        """Check the request; raises `BadInput` for what cannot be meant."""
        self.environment = environment
        self.request = request
        self._wanted = wanted
        self._network = network
        self._shown = tuple(shown)
        self._names = surroundings.checked_names(request.env)
        if request.runs < 1 or not 0 < request.deadline_s < 86_400:
            raise BadInput("bad-budget", f"{request.runs} runs of {request.deadline_s} s", "give at least one run and a deadline of less than a day")
        if any("\0" in word or word != word.encode("utf-8", "replace").decode() for word in (*request.argv, request.cwd)):
            raise BadInput("bad-argv", f"the gate's words are no text: {request.argv!r}", "give words in UTF-8 without NUL")
        if os.path.isabs(request.cwd) or os.path.normpath(request.cwd).startswith("..") or request.cwd.startswith("-"):
            raise BadInput("bad-cwd", f"{request.cwd!r} is not inside the repository", "give a folder relative to the repository's root")
        self._site = location.site(request.root)
        self._plain = False
        self._numbers = itertools.count(1)
        self._making = threading.Lock()

    def __enter__(self) -> Self:
        """Make the scratch folder, read the patch, find the level."""
        above = self.environment.get("TMPDIR") or tempfile.gettempdir()
        _prune(Path(above))
        self.scratch = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=above))
        try:
            self._open()
        except BaseException:
            self._remove()
            raise
        return self

    def _open(self) -> None:
        request = self.request
        self.repository = git.Repository(self._site, self.scratch / "git", surroundings.search_path(self.environment, self._site.root, ()))
        self.named = gate_argv.named_paths(request.argv, request.cwd)
        self.patch = patch.find(self.repository, request.base, request.test_paths, self.named, self._excludes())
        self.path = surroundings.search_path(self.environment, self._site.root, self.patch.carried)
        self.level = sandbox.level(self.path, str(self.scratch.parent), self._wanted)
        seen = machine.view(self._site, self.environment, self.path, self._programs(), self._shown)
        self._box = sandbox.Box(site=self._site, level=self.level, shown=seen.shown, hidden=seen.hidden, network=self._network)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Leave nothing behind."""
        self._remove()

    def _remove(self) -> None:
        _discard(self.scratch)

    def take_for_tests(self, paths: Sequence[str]) -> None:
        """Put these paths of the product side on the test side."""
        sides = (*self.patch.tests, *paths)
        self.patch = patch.find(self.repository, self.request.base, sides, self.named, self._excludes())

    def _excludes(self) -> str | None:
        """The user's own global ignore file: it is theirs, not the repository's."""
        home = self.environment.get("HOME", "")
        default = os.path.join(self.environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git", "ignore")
        return default if home and os.path.isfile(default) else None

    def run_both(self, trees: Sequence[str], seed: int) -> tuple[Seen, ...]:
        """Runs that are all expected to be red, two at a time: a busy machine can make a test fail, but not pass. One by one where they share a `/tmp`."""
        if self.level.isolation is Isolation.WORK_TREE or len(trees) < 2:
            return tuple(self.run(tree, seed) for tree in trees)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(2) as pool:
            return tuple(pool.map(lambda tree: self.run(tree, seed), trees))

    def run(self, tree: str, seed: int) -> Seen:
        """Run the gate once on a fresh copy of a tree, in fresh surroundings. `seed` is the hash seed. May be called from two threads."""
        folder = self.scratch / f"run-{next(self._numbers)}"
        try:
            return self._run(tree, seed, folder)
        finally:
            _discard(folder)

    def _run(self, tree: str, seed: int, folder: Path) -> Seen:
        place = self._box.place(folder)
        here = self._materialise(tree, folder)
        if not any((layer / self.request.cwd).is_dir() for layer in here.layers):
            raise BadInput("bad-cwd", f"{self.request.cwd!r} is no folder in the tree", "give a folder of the repository that git knows")
        runner = runners.pick(self.request.argv)
        prepared = runner.prepare(self.request.argv, place.out)
        if self._plain:
            prepared = pytest.without_plugin(prepared, place.out)
        program = self._program(prepared.argv[0])
        if program is None:
            ended = process.Ended(how=process.How.NOT_STARTED, why=f"{prepared.argv[0]}: not found on the PATH")
        else:
            ended = self._start((program, *prepared.argv[1:]), here, place, self._variables(prepared, here, place, seed))
        if not self._plain and pytest.cannot_load(ended.output.decode("utf-8", "replace")):
            self._plain = True
            return self.run(tree, seed)
        root = here.layers[0] if self.level.isolation is Isolation.WORK_TREE else self._site.root
        report = self._report(runner.read, place.out, ended, str(root))
        facts = (f"isolation={self.level.isolation}", f"network={self._network_seen()}", f"runner={runner.NAME}", f"hash_seed={seed}", f"program={program}")
        return reading.read(shlex.join(self.request.argv), tree, ended, report, known_runner=runner.NAME != "text", facts=facts)

    def _variables(self, prepared: Prepared, here: sandbox.Tree, place: sandbox.Place, seed: int) -> dict[str, str]:
        env = {**surroundings.variables(self.environment, self._names, self.path, place, seed), **prepared.env}
        if self.level.isolation is Isolation.WORK_TREE:
            env["RULEDOUT_ROOT"] = str(self._site.root)
            led = machine.led_inside(self._site, self.path, self._programs())
            paths = [os.path.normpath(here.layers[0] / inside) for inside in led]
            if paths:  # an editable install leads to the original tree: the copy's own folders go before it
                env["PYTHONPATH"] = os.pathsep.join([*filter(None, [env.get("PYTHONPATH")]), *paths])
                env["RULEDOUT_PATHS"] = os.pathsep.join(paths)
        return env

    def _report(self, read: Callable[[Path, str, int | None], Report | None], out: Path, ended: process.Ended, root: str) -> Report | None:
        """The report, with ids relative to the tree: where runners put whole paths into them, they would differ from run to run."""
        report = None if ended.how is process.How.NOT_STARTED else read(out, ended.output.decode("utf-8", "replace"), ended.exit)
        if report is None:
            return None
        tests = {name.removeprefix(root + "/"): status for name, status in report.tests.items()}
        return structs.replace(report, tests=tests, unbuilt=tuple(start.removeprefix(root + "/") for start in report.unbuilt))

    def _network_seen(self) -> str:
        return "host" if self.level.isolation is Isolation.WORK_TREE else self._network

    def _materialise(self, tree: str, folder: Path) -> sandbox.Tree:
        """The tree's files. Where runs are overlaid, the whole patch is written once, and any other tree is what differs from it, laid over."""
        with self._making:
            if not self.level.overlay:
                return self._written(tree, folder / "tree")
            if tree == self.patch.after:
                return self._written(tree, self.scratch / "whole")
            return self._laid_over(tree)

    def _written(self, tree: str, where: Path) -> sandbox.Tree:
        if not where.exists():
            self.repository.check_out(tree, where)
        return sandbox.Tree(layers=(where,))

    def _laid_over(self, tree: str) -> sandbox.Tree:
        entries, whole = self.repository.entries(tree), self.patch.files
        gone = tuple(path for path in whole if path not in entries)
        if gone and self.level.isolation is Isolation.BUBBLEWRAP:  # it has no step that takes a file away
            return self._written(tree, self.scratch / f"tree-{tree}")
        other = self.repository.put_tree({path: entry for path, entry in entries.items() if whole.get(path) != entry})
        below = self._written(self.patch.after, self.scratch / "whole")
        above = self._written(other, self.scratch / f"over-{tree}")
        return sandbox.Tree(layers=(*above.layers, *below.layers), removed=gone)

    def _program(self, name: str) -> str | None:
        """The program's absolute path by our search path; a path with a folder in it stays, and means the tree."""
        return name if "/" in name or os.sep in name else process.find(name, self.path)

    def _programs(self) -> list[str]:
        """Programs that the argv names by their path, the gate's own first, also behind `env`."""
        first = self._program(self.request.argv[0]) if self.request.argv else None
        return [word for word in (first, *self.request.argv) if word and os.path.isabs(word) and os.path.isfile(word) and os.access(word, os.X_OK)]

    def _start(self, argv: tuple[str, ...], here: sandbox.Tree, place: sandbox.Place, env: Mapping[str, str]) -> process.Ended:
        wrapped, supervised = self._box.wrap(argv, self.request.cwd, here, self.patch.carried, place)
        inside = str(here.layers[0] / self.request.cwd) if self.level.isolation is Isolation.WORK_TREE else "/"
        command = process.Command(argv=wrapped, cwd=inside, env=env, deadline_s=self.request.deadline_s, supervised=supervised)
        return _told(process.run(command), place.folder / "status", bubblewrap=self.level.isolation is Isolation.BUBBLEWRAP)


def _told(ended: process.Ended, status: Path, *, bubblewrap: bool) -> process.Ended:
    """What the wrapper says about a program that it could not start, or that died by a signal."""
    why = status.read_text("utf-8", "replace") if status.is_file() else ""
    if why.startswith("sandbox:"):
        raise CannotRun("sandbox-failed", why, "run `ruledout doctor`, which tries each level of isolation")
    if bubblewrap and ended.output.startswith(b"bwrap: "):
        why = ended.output.decode("utf-8", "replace").strip()
    if why:
        return process.Ended(how=process.How.NOT_STARTED, why=why, seconds=ended.seconds)
    if bubblewrap and ended.exit is not None and ended.exit > 128:
        return process.Ended(how=process.How.SIGNAL, signal=process.signal_name(ended.exit - 128), output=ended.output, lost=ended.lost, seconds=ended.seconds)
    return ended


def _discard(folder: Path) -> None:
    """Remove a folder whatever the modes in it: an overlay's own folders have none. A link may lead to a file of the user's: its mode is not ours to change."""
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        return
    for above, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(above, name)
            if not os.path.islink(path):
                with contextlib.suppress(OSError):
                    os.chmod(path, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def _prune(above: Path) -> None:
    """Remove what runs left behind that were killed themselves: their process id is in the folder's name."""
    for left in above.glob(f"{_PREFIX}*-*"):
        owner = left.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            _discard(left)


def _alive(pid: int) -> bool:
    if sys.platform == "win32":  # signal 0 would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
