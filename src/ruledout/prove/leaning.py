"""Does the proof lean on what steers the run instead of on the code: one more run, with runner settings, plug-in lists and start-up files as they were.

It refuses nothing: a fix may lie in settings, and new tests may need a new fixture. The receipt says so (`weak=leans_on:conftest.py`).
"""

import re
from collections.abc import Sequence

from ruledout.model.gate import TestStatus
from ruledout.prove.lab import Lab
from ruledout.prove.reading import CANNOT

_STEERS = re.compile(
    r"(?:^|/)(?:conftest\.py|sitecustomize\.py|usercustomize\.py|[^/]*\.pth|[^/]*\.(?:egg|dist)-info/.*|pytest\.ini|\.?pytest\.toml|tox\.ini|setup\.cfg|pyproject\.toml"
    r"|noxfile\.py|[Mm]akefile|GNUmakefile|[^/]*\.mk|[Jj]ustfile|\.justfile|Taskfile\.ya?ml|package\.json|\.npmrc|\.mocharc\.[^/]*|build\.rs|\.cargo/config(?:\.toml)?"
    r"|(?:jest|vitest|vite|karma|playwright|cypress|babel)\.(?:config|setup)\.[^/]*|\.babelrc[^/]*|(?:set)?up?[-_]?tests?\.[cm]?[jt]s)$"
)


def facts(lab: Lab, named: Sequence[str]) -> tuple[str, ...]:
    """`weak=leans_on:...` where the named tests do not pass with these files taken back to the base; nothing where none was changed."""
    steering = [change for change in lab.patch.changes if _STEERS.search(change.path)]
    if not steering:
        return ()
    files = dict(lab.patch.files)
    for change in steering:
        if change.before is None:
            files.pop(change.path, None)
        else:
            files[change.path] = change.before
    seen = lab.run(lab.repository.put_tree(files), 0)
    if seen.state not in CANNOT and all(seen.tests.get(name) is TestStatus.PASSED for name in named):
        return ()
    return tuple(f"weak=leans_on:{change.path}" for change in steering[:5])
