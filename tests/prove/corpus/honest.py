"""Honest fixes: reproductions of published bugs in small, in the styles in which repositories are laid out. Each must be proved."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from tests.prove.corpus.repo import PYTEST, UNITTEST, Repo


class Case(Struct, frozen=True, kw_only=True):
    """What stands at the base, what the fix changes, how it is judged, and which tests must carry the proof."""

    base: Mapping[str, str | None]
    fix: Mapping[str, str | None]
    argv: tuple[str, ...]
    tests: tuple[str, ...]
    options: Mapping[str, Any] = {}
    prepare: Callable[[Repo], None] | None = None
    needs: str = ""


def editable(repo: Repo) -> None:
    """A virtual environment in the repository whose path file leads back to the repository's own path, as an editable install does."""
    import venv

    venv.create(repo.root / ".venv", with_pip=False, symlinks=True)
    packages = next((repo.root / ".venv").glob("lib/python*/site-packages"))
    (packages / "__editable__.units.pth").write_text(f"{repo.root}/src\n")


def generated(repo: Repo) -> None:
    """A version file that a build wrote; git ignores it, the package needs it."""
    (repo.root / "src/dist/_version.py").write_text('version = "1.2.3"\n')


def committed(repo: Repo) -> None:
    """The fix is committed already."""
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", "Fix it")


DURATION = """
class TimeDelta:
    def __init__(self, precision):
        self.precision = precision

    def serialize(self, value):
        base = {"seconds": 1.0, "milliseconds": 0.001}[self.precision]
        return int(value.total_seconds() / base)
"""
SEPARABLE = """
def cstack(left, right):
    rows = len(left) + len(right)
    out = [[0] * rows for _ in range(rows)]
    for i, row in enumerate(left):
        out[i][: len(row)] = row
    for i, row in enumerate(right):
        out[len(left) + i][len(left) :] = [1] * len(row)
    return out
"""
PACKER = """
pub fn decode(text: &str) -> Option<Vec<u8>> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok())
        .collect()
}
"""

HONEST: dict[str, Case] = {
    "src layout, pytest, a rounding error (marshmallow 1867)": Case(
        base={
            "src/fields.py": DURATION,
            "tests/test_fields.py": "from fields import TimeDelta\n",
            "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["src"]\naddopts = ["--strict-markers", "-ra"]\n',
        },
        fix={
            "src/fields.py": DURATION.replace("int(value.total_seconds() / base)", "round(value.total_seconds() / base)"),
            "tests/test_fields.py": (
                "import datetime as dt\nimport pytest\nfrom fields import TimeDelta\n\n\n"
                "@pytest.mark.parametrize('ms', [345, 1])\ndef test_milliseconds(ms):\n"
                "    assert TimeDelta('milliseconds').serialize(dt.timedelta(milliseconds=ms)) == ms\n"
            ),
        },
        argv=(*PYTEST, "tests/test_fields.py"),
        tests=("tests/test_fields.py::test_milliseconds[345]",),
    ),
    "flat layout, unittest, a pattern that lets a line end through (django 11099)": Case(
        base={
            "validators.py": "import re\n\nUSERNAME = re.compile(r'^[\\w.@+-]+$')\n\n\ndef valid(name):\n    return USERNAME.match(name) is not None\n",
            "test_validators.py": "import unittest\nfrom validators import valid\n",
        },
        fix={
            "validators.py": "import re\n\nUSERNAME = re.compile(r'\\A[\\w.@+-]+\\Z')\n\n\ndef valid(name):\n    return USERNAME.match(name) is not None\n",
            "test_validators.py": (
                "import unittest\nfrom validators import valid\n\n\nclass Names(unittest.TestCase):\n"
                "    def test_line_end(self):\n        self.assertFalse(valid('trail\\n'))\n\n    def test_plain(self):\n        self.assertTrue(valid('plain'))\n"
            ),
        },
        argv=(*UNITTEST, "-v", "test_validators"),
        tests=("test_validators.Names.test_line_end",),
    ),
    "a monorepo's subfolder, nested models (astropy 12907)": Case(
        base={
            "README.md": "two packages\n",
            "packages/other/other.py": "x = 1\n",
            "packages/core/separable.py": SEPARABLE,
            "packages/core/tests/test_separable.py": "import unittest\n",
            "packages/core/tests/__init__.py": "",
        },
        fix={
            "packages/core/separable.py": SEPARABLE.replace("[1] * len(row)", "row"),
            "packages/core/tests/test_separable.py": (
                "import unittest\nfrom separable import cstack\n\n\nclass Nested(unittest.TestCase):\n    def test_nested(self):\n"
                "        self.assertEqual(cstack([[1]], [[1, 0], [0, 1]]), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])\n"
            ),
        },
        argv=(*UNITTEST, "tests.test_separable"),
        tests=("tests.test_separable.Nested.test_nested",),
        options={"cwd": "packages/core"},
    ),
    "an editable install that leads to the repository's own path": Case(
        base={
            ".gitignore": ".venv/\n__pycache__/\n",
            "src/units.py": "def celsius(f):\n    return (f - 32) * 9 / 5\n",
            "checks/test_units.py": "import unittest\n",
        },
        fix={
            "src/units.py": "def celsius(f):\n    return (f - 32) * 5 / 9\n",
            "checks/test_units.py": "import unittest\nimport units\n\n\nclass T(unittest.TestCase):\n    def test_boiling(self):\n        self.assertEqual(units.celsius(212), 100)\n",
        },
        argv=(".venv/bin/python", "-m", "unittest", "checks/test_units.py"),
        tests=("checks.test_units.T.test_boiling",),
        prepare=editable,
    ),
    "a generated file that git ignores": Case(
        base={
            ".gitignore": "_version.py\n__pycache__/\n",
            "src/dist/__init__.py": "from dist._version import version\n\n\ndef newer(a, b):\n    return a > b\n",
            "tests/test_dist.py": "import unittest\n",
        },
        fix={
            "src/dist/__init__.py": (
                "from dist._version import version\n\n\ndef newer(a, b):\n    return [int(part) for part in a.split('.')] > [int(part) for part in b.split('.')]\n"
            ),
            "tests/test_dist.py": (
                "import sys\nimport unittest\nsys.path.insert(0, 'src')\nimport dist\n\n\nclass T(unittest.TestCase):\n"
                "    def test_ten_is_newer_than_nine(self):\n        assert dist.version == '1.2.3'\n        assert dist.newer('1.10', '1.9')\n"
            ),
        },
        argv=(*UNITTEST, "tests/test_dist.py"),
        tests=("tests.test_dist.T.test_ten_is_newer_than_nine",),
        prepare=generated,
    ),
    "fixtures in conftest and data beside the tests (requests 2317)": Case(
        base={
            "session.py": "def method_of(request):\n    return str(request['method']).upper()\n",
            "tests/conftest.py": "import json, pathlib, pytest\n\n\n@pytest.fixture\ndef request_():\n    return {'method': b'GET'}\n",
            "tests/data/expected.json": '{"method": "GET"}\n',
            "tests/test_session.py": "",
            "conftest.py": "",
        },
        fix={
            "session.py": (
                "def method_of(request):\n    method = request['method']\n    method = method.decode('ascii') if isinstance(method, bytes) else method\n    return method.upper()\n"
            ),
            "tests/data/expected.json": '{"method": "GET", "bytes": true}\n',
            "tests/test_session.py": (
                "import json, pathlib\nfrom session import method_of\n\n\ndef test_bytes(request_):\n"
                "    expected = json.loads(pathlib.Path(__file__).with_name('data').joinpath('expected.json').read_text())\n"
                "    assert method_of(request_) == expected['method']\n    assert expected['bytes'] is True\n"
            ),
        },
        argv=(*PYTEST, "tests"),
        tests=("tests/test_session.py::test_bytes",),
    ),
    "JavaScript, node --test, prototype pollution (CVE-2020-7598)": Case(
        base={
            "package.json": '{"type": "module"}\n',
            "set.js": "export function set(target, path, value) {\n  const key = path.shift();\n  if (!path.length) { target[key] = value; return target; }\n  target[key] = target[key] || {};\n  set(target[key], path, value);\n  return target;\n}\n",
            "set.test.js": "import test from 'node:test';\nimport assert from 'node:assert';\nimport { set } from './set.js';\ntest('sets', () => { assert.deepStrictEqual(set({}, ['a', 'b'], 1), { a: { b: 1 } }); });\n",
        },
        fix={
            "set.js": "export function set(target, path, value) {\n  const key = path.shift();\n  if (key === '__proto__') return target;\n  if (!path.length) { target[key] = value; return target; }\n  target[key] = target[key] || {};\n  set(target[key], path, value);\n  return target;\n}\n",
            "set.test.js": "import test from 'node:test';\nimport assert from 'node:assert';\nimport { set } from './set.js';\ntest('sets', () => { assert.deepStrictEqual(set({}, ['a', 'b'], 1), { a: { b: 1 } }); });\ntest('leaves the prototype alone', () => { set({}, ['__proto__', 'polluted'], 1); assert.strictEqual({}.polluted, undefined); });\n",
        },
        argv=("node", "--test"),
        tests=("leaves the prototype alone",),
        needs="node",
    ),
    "Rust with its test in the same file: odd length panics": Case(
        base={"Cargo.toml": '[package]\nname = "packer"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": PACKER, ".gitignore": "target\nCargo.lock\n"},
        fix={
            "src/lib.rs": PACKER.replace("    (0..text", "    if text.len() % 2 != 0 {\n        return None;\n    }\n    (0..text")
            + '\n#[cfg(test)]\nmod tests {\n    use super::decode;\n\n    #[test]\n    fn odd() {\n        assert_eq!(decode("abc"), None);\n    }\n\n'
            '    #[test]\n    fn even() {\n        assert_eq!(decode("ab"), Some(vec![0xab]));\n    }\n}\n'
        },
        argv=("cargo", "test", "--lib"),
        tests=("src/lib.rs::tests::odd",),
        needs="cargo",
    ),
    "a doctest that stood there and failed": Case(
        base={
            "chunk.py": 'def chunked(items, n):\n    """\n    >>> chunked([1, 2, 3], 2)\n    [[1, 2], [3]]\n    """\n    return [items[i : i + n] for i in range(0, len(items) - n + 1, n)]\n'
        },
        fix={
            "chunk.py": 'def chunked(items, n):\n    """\n    >>> chunked([1, 2, 3], 2)\n    [[1, 2], [3]]\n    """\n    return [items[i : i + n] for i in range(0, len(items), n)]\n'
        },
        argv=(sys.executable, "-S", "-m", "doctest", "-v", "chunk.py"),
        tests=("chunk.chunked",),
    ),
    "a script that prints TAP, changed with the fix": Case(
        base={
            "octets.py": "def parse(text):\n    return [int(part, 10) for part in text.split('.')]\n",
            "scripts/check_octets.py": "print('1..0')\n",
        },
        fix={
            "octets.py": (
                "def parse(text):\n    parts = text.split('.')\n    if any(len(part) > 1 and part[0] == '0' for part in parts):\n        raise ValueError(text)\n"
                "    return [int(part, 10) for part in parts]\n"
            ),
            "scripts/check_octets.py": (
                "import sys\nsys.path.insert(0, '.')\nfrom octets import parse\nprint('1..1')\ntry:\n    parse('010.8.8.8')\nexcept ValueError:\n"
                "    print('ok 1 - leading zeros are refused')\nelse:\n    print('not ok 1 - leading zeros are refused')\n    sys.exit(1)\n"
            ),
        },
        argv=(sys.executable, "-S", "scripts/check_octets.py"),
        tests=("leading zeros are refused",),
    ),
    "the test imports a name that is new": Case(
        base={"names.py": "def check(name):\n    return name\n", "test_names.py": "import unittest\n"},
        fix={
            "names.py": "class BadName(ValueError):\n    pass\n\n\ndef check(name):\n    if '.' in name:\n        raise BadName(name)\n    return name\n",
            "test_names.py": (
                "import unittest\nfrom names import BadName, check\n\n\nclass T(unittest.TestCase):\n    def test_dot(self):\n        with self.assertRaises(BadName):\n            check('a.b')\n"
            ),
        },
        argv=(*UNITTEST, "test_names"),
        tests=("test_names.T.test_dot",),
    ),
    "pytest cannot even collect the base": Case(
        base={"names.py": "def check(name):\n    return name\n", "tests/test_old.py": "def test_old():\n    pass\n", "conftest.py": ""},
        fix={
            "names.py": "class BadName(ValueError):\n    pass\n\n\ndef check(name):\n    if '.' in name:\n        raise BadName(name)\n    return name\n",
            "tests/test_names.py": "import pytest\nfrom names import BadName, check\n\n\ndef test_dot():\n    with pytest.raises(BadName):\n        check('a.b')\n",
        },
        argv=(*PYTEST, "tests"),
        tests=("tests/test_names.py::test_dot",),
    ),
    "the test existed already, only the product changed": Case(
        base={
            "half.py": "def half(n):\n    return n // 2\n",
            "test_half.py": "import unittest\nfrom half import half\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(half(3), 1.5)\n",
        },
        fix={"half.py": "def half(n):\n    return n / 2\n"},
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "indentation alone is the fix": Case(
        base={
            "total.py": "def total(items):\n    s = 0\n    for i in items:\n        s += i\n        return s\n",
            "test_total.py": "import unittest\nfrom total import total\n\n\nclass T(unittest.TestCase):\n    def test_all(self):\n        self.assertEqual(total([1, 2]), 3)\n",
        },
        fix={"total.py": "def total(items):\n    s = 0\n    for i in items:\n        s += i\n    return s\n"},
        argv=(*UNITTEST, "test_total"),
        tests=("test_total.T.test_all",),
    ),
    "committed already, against an older revision": Case(
        base={"half.py": "def half(n):\n    return n // 2\n", "test_half.py": "import unittest\n"},
        fix={
            "half.py": "def half(n):\n    return n / 2\n",
            "test_half.py": "import unittest\nfrom half import half\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(half(3), 1.5)\n",
        },
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
        options={"base": "HEAD~1"},
        prepare=committed,
    ),
    "product code in a package named test": Case(
        base={
            "web/__init__.py": "",
            "web/test/__init__.py": "",
            "web/test/client.py": "def body(data):\n    return str(data)\n",
            "tests/test_client.py": "import unittest\n",
        },
        fix={
            "web/test/client.py": "import json\n\n\ndef body(data):\n    return json.dumps(data)\n",
            "tests/test_client.py": "import unittest\nfrom web.test.client import body\n\n\nclass T(unittest.TestCase):\n    def test_json(self):\n        self.assertEqual(body({'a': None}), '{\"a\": null}')\n",
        },
        argv=(*UNITTEST, "tests/test_client.py"),
        tests=("tests.test_client.T.test_json",),
    ),
    "a Makefile that calls pytest": Case(
        base={"Makefile": f"check:\n\t{sys.executable} -m pytest -q\n", "half.py": "def half(n):\n    return n // 2\n", "test_half.py": "", "conftest.py": ""},
        fix={"half.py": "def half(n):\n    return n / 2\n", "test_half.py": "from half import half\n\n\ndef test_odd():\n    assert half(3) == 1.5\n"},
        argv=("make", "check"),
        tests=("test_half.py::test_odd",),
        needs="make",
    ),
    "a runner of the project's own over unittest (manage.py test)": Case(
        base={
            "manage.py": "import sys, unittest\nsuite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:])\nsys.exit(not unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful())\n",
            "app/__init__.py": "",
            "app/half.py": "def half(n):\n    return n // 2\n",
            "app/tests.py": "import unittest\n",
        },
        fix={
            "app/half.py": "def half(n):\n    return n / 2\n",
            "app/tests.py": "import unittest\nfrom app.half import half\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(half(3), 1.5)\n\n    def test_even(self):\n        self.assertEqual(half(4), 2)\n",
        },
        argv=(sys.executable, "manage.py", "test", "app.tests"),
        tests=("app.tests.T.test_odd",),
    ),
    "tests that make commits and write to their home": Case(
        base={"log.py": "def subject(message):\n    return message\n", "test_log.py": "import unittest\n"},
        fix={
            "log.py": "def subject(message):\n    return message.splitlines()[0]\n",
            "test_log.py": (
                "import os, pathlib, subprocess, tempfile, unittest\nfrom log import subject\n\n\nclass T(unittest.TestCase):\n    def test_subject(self):\n"
                "        with tempfile.TemporaryDirectory() as folder:\n            for words in (['init', '-q'], ['commit', '-q', '--allow-empty', '-m', 'one\\n\\ntwo']):\n"
                "                subprocess.run(['git', *words], cwd=folder, check=True)\n"
                "            told = subprocess.run(['git', 'log', '--format=%B'], cwd=folder, check=True, capture_output=True, text=True).stdout\n"
                "        self.assertEqual(subject(told), 'one')\n        pathlib.Path.home().joinpath('.cache').mkdir()\n"
            ),
        },
        argv=(*UNITTEST, "test_log"),
        tests=("test_log.T.test_subject",),
    ),
    "a test that asserts nothing but must not raise": Case(
        base={"first.py": "def first(items):\n    return items[0]\n", "test_first.py": "import unittest\n"},
        fix={
            "first.py": "def first(items):\n    return items[0] if items else None\n",
            "test_first.py": "import unittest\nfrom first import first\n\n\nclass T(unittest.TestCase):\n    def test_empty(self):\n        first([])\n        for item in []:\n            self.assertEqual(item, 1)\n",
        },
        argv=(*UNITTEST, "test_first"),
        tests=("test_first.T.test_empty",),
    ),
}


def build(case: Case, root: Path) -> Repo:
    """The repository with the fix in its work tree."""
    repo = Repo(root)
    repo.commit(case.base)
    repo.write(case.fix)
    if case.prepare is not None:
        case.prepare(repo)
    return repo
