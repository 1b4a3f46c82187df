"""More honest fixes, in styles of laying out and running that the other table does not hold. Each must be proved."""

import sys
from collections.abc import Callable

from tests.prove.corpus.honest import Case, editable
from tests.prove.corpus.repo import PYTEST, UNITTEST, Repo

HALF = {"half.py": "def half(n):\n    return n // 2\n"}
HFIX = {"half.py": "def half(n):\n    return n / 2\n"}
T = "import unittest\nfrom half import half\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(half(3), 1.5)\n"
PT = "from half import half\n\n\ndef test_odd():\n    assert half(3) == 1.5\n"


def tool(
    name: str,
    body: str = "import sys, runpy\nwords = sys.argv[1:]\nwords = words[words.index('--') + 1:] if '--' in words else words\nwords = words[words.index('pytest'):]\nsys.argv = words\nrunpy.run_module('pytest', run_name='__main__')\n",
) -> Callable[[Repo], None]:
    """A stand-in for a tool that runs pytest in its own environment."""

    def prepare(repo: Repo) -> None:
        path = repo.root / ".venv/bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable}\n" + body)
        path.chmod(0o755)

    return prepare


def picture(repo: Repo) -> None:
    """A binary file on the test side."""
    (repo.root / "tests").mkdir()
    (repo.root / "tests/a.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\xff")


def cookie(repo: Repo) -> None:
    """A module in Latin-1 without its cookie, committed; then with it."""
    (repo.root / "s.py").write_bytes(b"# hi\ns = '\xe9'\n")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "b")
    (repo.root / "s.py").write_bytes(b"# -*- coding: latin-1 -*-\ns = '\xe9'\n")


def crlf(repo: Repo) -> None:
    """Both files with line ends of Windows."""
    for name in ("half.py", "test_half.py"):
        p = repo.root / name
        p.write_bytes(p.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def unit(body: str) -> str:
    """A unittest with this body."""
    rows = "".join(f"        {row}\n" for row in body.splitlines())
    return f"import unittest, os\nfrom half import *\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n{rows}"


MORE: dict[str, Case] = {
    "fixture in conftest changed by the patch": Case(
        base={
            **HALF,
            "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef n():\n    return 2\n",
            "tests/test_half.py": "from half import half\n\n\ndef test_odd(n):\n    assert half(n) == n / 2\n",
        },
        fix={**HFIX, "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef n():\n    return 3\n"},
        argv=(*PYTEST, "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "test renamed by the fix": Case(
        base={**HALF, "test_half.py": T.replace("1.5", "1").replace("test_odd", "test_rounds_down")},
        fix={**HFIX, "test_half.py": T},
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "wrong test corrected with product": Case(
        base={**HALF, "test_half.py": T.replace("1.5", "1")}, fix={**HFIX, "test_half.py": T}, argv=(*UNITTEST, "test_half"), tests=("test_half.T.test_odd",)
    ),
    "namespace package": Case(
        base={"ns/a/half.py": HALF["half.py"], "tests/test_half.py": "import sys\nsys.path.insert(0, '.')\n" + PT.replace("from half", "from ns.a.half")},
        fix={"ns/a/half.py": HFIX["half.py"]},
        argv=(*PYTEST, "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "-n 2": Case(
        base={**HALF, "conftest.py": "", "tests/test_half.py": PT}, fix=HFIX, argv=(*PYTEST, "-n", "2", "tests"), tests=("tests/test_half.py::test_odd",)
    ),
    "-x -k": Case(
        base={**HALF, "conftest.py": "", "tests/test_half.py": PT + "\n\ndef test_even():\n    assert half(2) == 1\n"},
        fix=HFIX,
        argv=(*PYTEST, "-x", "-k", "odd", "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "-x with an earlier red test": Case(
        base={**HALF, "conftest.py": "", "tests/test_half.py": "from half import half\n\n\ndef test_a():\n    assert half(1) == 0.5\n" + PT},
        fix=HFIX,
        argv=(*PYTEST, "-x", "tests"),
        tests=("tests/test_half.py::test_a",),
    ),
    "--lf": Case(
        base={**HALF, "conftest.py": "", "tests/test_half.py": PT}, fix=HFIX, argv=(*PYTEST, "--lf", "tests"), tests=("tests/test_half.py::test_odd",)
    ),
    "uv run pytest": Case(
        base={**HALF, ".gitignore": ".venv\n", "conftest.py": "", "tests/test_half.py": PT},
        fix=HFIX,
        prepare=tool("uv"),
        argv=("uv", "run", "pytest", "-q", "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "poetry run": Case(
        base={**HALF, ".gitignore": ".venv\n", "conftest.py": "", "tests/test_half.py": PT},
        fix=HFIX,
        prepare=tool("poetry"),
        argv=("poetry", "run", "pytest", "-q"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "hatch run test:pytest": Case(
        base={**HALF, ".gitignore": ".venv\n", "conftest.py": "", "tests/test_half.py": PT},
        fix=HFIX,
        prepare=tool("hatch"),
        argv=("hatch", "run", "pytest", "-q"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "JSON data fix": Case(
        base={
            "conf.py": "import json, pathlib\nrates = json.loads(pathlib.Path(__file__).with_name('rates.json').read_text())\n",
            "rates.json": '{"vat": 0.91}\n',
            "test_conf.py": "import unittest\nfrom conf import rates\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(rates['vat'], 0.19)\n",
        },
        fix={"rates.json": '{"vat": 0.19}\n'},
        argv=(*UNITTEST, "test_conf"),
        tests=("test_conf.T.test_odd",),
    ),
    "SQL and sqlite file": Case(
        base={
            "schema.sql": "create table t(a int);\n",
            "test_db.py": "import unittest, sqlite3\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        db = sqlite3.connect('x.db')\n        db.executescript(open('schema.sql').read())\n        with self.assertRaises(sqlite3.IntegrityError):\n            db.execute('insert into t values (null)')\n        db.close()\n",
        },
        fix={"schema.sql": "create table t(a int not null);\n"},
        argv=(*UNITTEST, "test_db"),
        tests=("test_db.T.test_odd",),
    ),
    "by deleting a file (a module that shadows)": Case(
        base={
            "lib/colorsys.py": "def dumps(x):\n    return ''\n",
            "test_j.py": "import sys, unittest\nsys.path.insert(0, 'lib')\nimport colorsys\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(colorsys.rgb_to_hls(0, 0, 0), (0.0, 0.0, 0.0))\n",
        },
        fix={"lib/colorsys.py": None},
        argv=(*UNITTEST, "test_j"),
        tests=("test_j.T.test_odd",),
    ),
    "by renaming a file": Case(
        base={"plugins/Half.py": HFIX["half.py"], "test_half.py": "import sys\nsys.path.insert(0, 'plugins')\n" + T},
        fix={"plugins/Half.py": None, "plugins/half.py": HFIX["half.py"]},
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "binary fixture": Case(
        base={"png.py": "def ok(b):\n    return b[:4] == b'PNG'\n", "test_png.py": "import unittest\n"},
        fix={
            "png.py": "def ok(b):\n    return b[:4] == b'\\x89PNG'\n",
            "test_png.py": "import unittest\nfrom png import ok\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertTrue(ok(open('tests/a.png', 'rb').read()))\n",
        },
        prepare=picture,
        argv=(*UNITTEST, "test_png"),
        tests=("test_png.T.test_odd",),
    ),
    "file mode": Case(
        base={
            "bin/run.sh": "#!/bin/sh\necho hi\n",
            "test_run.py": "import unittest, subprocess\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        self.assertEqual(subprocess.run(['./bin/run.sh'], capture_output=True, text=True).stdout, 'hi\\n')\n",
        },
        fix={},
        prepare=lambda r: (r.root / "bin/run.sh").chmod(0o755),
        argv=(*UNITTEST, "test_run"),
        tests=("test_run.T.test_odd",),
    ),
    "CRLF files": Case(
        base={**HALF, "test_half.py": T, ".gitattributes": "*.py text eol=crlf\n"},
        fix=HFIX,
        prepare=crlf,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "unicode and spaces": Case(
        base={"größe é/half.py": HALF["half.py"], "größe é/test_half.py": T},
        fix={"größe é/half.py": HFIX["half.py"]},
        argv=(*UNITTEST, "test_half"),
        options={"cwd": "größe é"},
        tests=("test_half.T.test_odd",),
    ),
    "loopback port": Case(
        base={
            **HALF,
            "test_half.py": unit(
                "import socket, threading\ns = socket.create_server(('127.0.0.1', 0))\nthreading.Thread(target=lambda: s.accept()[0].sendall(str(half(3)).encode()), daemon=True).start()\nc = socket.create_connection(s.getsockname())\nself.assertEqual(c.recv(9), b'1.5')\nc.close()\ns.close()"
            ),
        },
        fix=HFIX,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "user name, HOME, tmp, shm": Case(
        base={
            **HALF,
            "test_half.py": unit(
                "import getpass, pwd, tempfile, pathlib\npwd.getpwuid(os.getuid())\ngetpass.getuser()\n(pathlib.Path.home() / 'x').write_text('a')\nopen('/dev/shm/x', 'w').close()\ntempfile.mkdtemp()\nfrom multiprocessing import shared_memory, Semaphore\nm = shared_memory.SharedMemory(create=True, size=10)\nm.close(); m.unlink()\nSemaphore(1)\nself.assertEqual(half(3), 1.5)"
            ),
        },
        fix=HFIX,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "subprocess of own python, threads, pool": Case(
        base={
            **HALF,
            "test_half.py": unit(
                "import subprocess, sys, concurrent.futures\nout = subprocess.run([sys.executable, '-c', 'import half; print(half.half(3))'], capture_output=True, text=True).stdout\nself.assertEqual(out, '1.5\\n')\nwith concurrent.futures.ProcessPoolExecutor(2) as p:\n    self.assertEqual(list(p.map(half, [3])), [1.5])"
            ),
        },
        fix=HFIX,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "prints 50 MB": Case(
        base={**HALF, "test_half.py": unit("for _ in range(500):\n    print('x' * 100000)\nself.assertEqual(half(3), 1.5)")},
        fix=HFIX,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "locale": Case(
        base={
            "s.py": "def order(x):\n    return sorted(x)\n",
            "test_s.py": "import unittest, locale\nfrom s import order\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        locale.setlocale(locale.LC_ALL, '')\n        self.assertEqual(order(['b', 'A']), ['A', 'b'])\n        self.assertEqual(order(['B', 'a']), ['a', 'B'])\n",
        },
        fix={"s.py": "def order(x):\n    return sorted(x, key=str.lower)\n"},
        argv=(*UNITTEST, "test_s"),
        tests=("test_s.T.test_odd",),
    ),
    "src layout without installation": Case(
        base={"src/half.py": HALF["half.py"], "tests/test_half.py": PT},
        fix={"src/half.py": HFIX["half.py"]},
        argv=("env", "PYTHONPATH=src", *PYTEST, "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    ".venv in the repo, editable, activate": Case(
        base={".gitignore": ".venv\n", "src/half.py": HALF["half.py"], "test_half.py": T},
        fix={"src/half.py": HFIX["half.py"]},
        prepare=editable,
        argv=(".venv/bin/python", "-m", "unittest", "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "odd test place, other product file": Case(
        base={**HALF, "qa/case_half.py": "import sys\nsys.path.insert(0, '.')\n", "pytest.ini": "[pytest]\npython_files=case_*.py\n"},
        fix={**HFIX, "qa/case_half.py": "import sys\nsys.path.insert(0, '.')\n" + PT},
        argv=(*PYTEST, "qa"),
        tests=("qa/case_half.py::test_odd",),
    ),
    "nox -s tests": Case(
        base={**HALF, ".gitignore": ".venv\n", "conftest.py": "", "tests/test_half.py": PT},
        fix=HFIX,
        prepare=tool("nox", "import sys, subprocess\nsys.exit(subprocess.call([sys.executable, '-m', 'pytest', '-q', 'tests']))\n"),
        argv=("nox", "-s", "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "git LFS pointer present, missing content": Case(
        base={
            **HALF,
            "test_half.py": T,
            "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 5\n",
            ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
        },
        fix=HFIX,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "test in the product file, both there": Case(
        base={"half.py": HALF["half.py"] + "\n\ndef test_odd():\n    assert half(3) == 1.5\n"},
        fix={"half.py": HFIX["half.py"] + "\n\ndef test_odd():\n    assert half(3) == 1.5\n"},
        argv=(*PYTEST, "half.py"),
        tests=("half.py::test_odd",),
    ),
    "hypothesis": Case(
        base={
            **HALF,
            "tests/test_half.py": "import sys\nsys.path.insert(0, '.')\nfrom hypothesis import given, strategies as st\nfrom half import half\n\n\n@given(st.integers())\ndef test_odd(n):\n    if n == 0:\n        return\n    check(n)\n\n\ndef check(n):\n    assert half(n) * 2 == n\n",
        },
        fix={"half.py": "def half(n):\n    from fractions import Fraction\n    return Fraction(n, 2)\n"},
        argv=(*PYTEST, "tests"),
        tests=("tests/test_half.py::test_odd",),
    ),
    "async test with mocks and no assertion": Case(
        base={
            **HALF,
            "test_half.py": "import unittest\nfrom unittest import mock\nimport half as h\n\n\nclass T(unittest.IsolatedAsyncioTestCase):\n    @mock.patch('builtins.print')\n    async def test_odd(self, p):\n        print(h.half(3))\n        p.assert_called_once_with(1.5)\n",
        },
        fix=HFIX,
        argv=(*UNITTEST, "test_half"),
        tests=("test_half.T.test_odd",),
    ),
    "encoding cookie is the fix": Case(
        base={
            "s.py": "# hi\ns = 'x'\n",
            "test_s.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_odd(self):\n        import s\n        self.assertEqual(s.s, '\\xe9')\n",
        },
        fix={},
        prepare=cookie,
        argv=(*UNITTEST, "test_s"),
        tests=("test_s.T.test_odd",),
    ),
    "JS: early return, nested describe, same titles": Case(
        base={
            "package.json": '{"type":"module"}\n',
            "add.js": "export const add = (a, b) => a - b;\n",
            "a.test.js": "import { describe, it } from 'node:test';\nimport assert from 'node:assert';\nimport { add } from './add.js';\ndescribe('x', () => { it('adds', (t) => { if (add(0, 0)) return; assert.strictEqual(add(2, 3), 5);\n }); it('other', async () => { await Promise.resolve(); assert.ok(true); }); });\n",
        },
        fix={"add.js": "export const add = (a, b) => a + b;\n"},
        argv=("node", "--test"),
        tests=("x", "x > adds"),
    ),
    "JS: t.test subtests and assert.equal(1, true)": Case(
        base={
            "add.js": "exports.add = (a, b) => a - b;\n",
            "test/a.test.js": "const test = require('node:test');\nconst assert = require('assert');\nconst { add } = require('../add.js');\ntest('top', async function (t) {\n  await t.test('adds', () => {\n    assert.equal(add(2, 3) === 5, true);\n  });\n  assert.equal(1, 1);\n});\n",
        },
        fix={"add.js": "exports.add = (a, b) => a + b;\n"},
        argv=("node", "--test", "test/"),
        tests=("top", "top > adds"),
    ),
    "Rust: should_panic and Result": Case(
        base={
            "Cargo.toml": '[package]\nname = "packer"\nversion = "0.1.0"\nedition = "2021"\n',
            ".gitignore": "target\nCargo.lock\n",
            "src/lib.rs": "pub fn half(n: i32) -> Option<i32> { Some(n / 2) }\n",
            "tests/h.rs": '#[test]\n#[should_panic]\nfn odd() { packer::half(3).unwrap(); }\n\n#[test]\nfn res() -> Result<(), String> { if packer::half(3).is_none() { Ok(()) } else { Err("x".into()) } }\n',
        },
        fix={"src/lib.rs": "pub fn half(n: i32) -> Option<i32> { if n % 2 == 0 { Some(n / 2) } else { None } }\n"},
        argv=("cargo", "test", "--test", "h"),
        tests=("tests/h.rs::odd", "tests/h.rs::res"),
    ),
    "C with make and TAP": Case(
        base={
            "Makefile": "check: t\n\t./t\nt: half.c tests/t.c\n\tcc -o t tests/t.c half.c\n",
            "half.c": "double half(int n) { return n / 2; }\n",
            "tests/t.c": '#include <stdio.h>\ndouble half(int);\nint main(void) { int ok = half(3) == 1.5; printf("1..1\\n%s 1 - odd\\n", ok ? "ok" : "not ok"); return !ok; }\n',
        },
        fix={"half.c": "double half(int n) { return n / 2.0; }\n"},
        argv=("make", "check"),
        tests=("odd",),
    ),
}
