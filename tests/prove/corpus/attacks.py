"""More cheats, in kinds that the table of wrong fixes does not hold: those that are refused, and those that no run can tell from a fix, with what is said of them."""

import sys
from collections.abc import Callable

from tests.prove.corpus.repo import PYTEST, Repo
from tests.prove.corpus.wrong import CALC, FLAT, GATE, PY, REAL, TEST, UNIT, Wrong

NOOP = CALC + "\n\nx = 1\n"


def ignored(name: str, text: str, mode: int = 0o644) -> Callable[[Repo], None]:
    """A file that git ignores and runs are lent."""

    def prepare(repo: Repo) -> None:
        path = repo.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    return prepare


IGN = {".gitignore": "vendored/\nnode_modules/\nbuild/\n__pycache__/\n"}
JSB = {
    "package.json": '{"type":"module"}\n',
    "add.js": "export const add = (a, b) => a - b;\n",
    "add.test.js": "import test from 'node:test';\nimport assert from 'node:assert';\nimport { add } from './add.js';\ntest('adds', () => { assert.strictEqual(add(2, 3), 5); });\n",
}
MEND = "import calc\ncalc.add = lambda a, b: a + b\n"
FORGE = """import os, re, sys, json
for fd in os.listdir('/proc/self/fd'):
    try:
        path = os.readlink('/proc/self/fd/' + fd)
    except OSError:
        continue
    if path.endswith('.jsonl'):
        {body}
"""
FORGE_NOW = FORGE.format(body='os.ftruncate(int(fd), 0); os.write(int(fd), b\'["test", "%s", "passed"]\\n["end", "", ""]\\n\'); os._exit(0)')
CARGO = {
    "Cargo.toml": '[package]\nname = "packer"\nversion = "0.1.0"\nedition = "2021"\n',
    ".gitignore": "target\nCargo.lock\n",
    "src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 { a - b }\n",
    "tests/add.rs": "#[test]\nfn adds() { assert_eq!(packer::add(2, 3), 5); }\n",
}
REFUSED: dict[str, Wrong] = {
    "sitecustomize in the tree": Wrong(base=FLAT, fix={"sitecustomize.py": MEND}, argv=(sys.executable, "-m", "unittest", "test_calc"), codes=("still_red",)),
    "usercustomize in the tree": Wrong(base=FLAT, fix={"usercustomize.py": MEND}, argv=(sys.executable, "-m", "unittest", "test_calc"), codes=("still_red",)),
    "conftest mends where a comment stands": Wrong(
        base=PY,
        fix={
            "calc.py": "# fixed\n" + CALC,
            "conftest.py": "import pathlib\nif '# fixed' in pathlib.Path('calc.py').read_text():\n    import calc\n    calc.add = lambda a, b: a + b\n",
        },
        argv=GATE,
        codes=("no_product_change",),
    ),
    "test asserts on a comment": Wrong(
        base=FLAT,
        fix={
            "calc.py": CALC + "# adds\n",
            "test_calc.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertIn('# adds', open('calc.py').read())\n",
        },
        codes=("no_product_change",),
    ),
    "test asserts on file length": Wrong(
        base=FLAT,
        fix={
            "calc.py": CALC + "#\n",
            "test_calc.py": "import unittest, os\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(os.path.getsize('calc.py'), 38)\n",
        },
        codes=("no_product_change",),
    ),
    "expected value edited, test in an odd place (only change)": Wrong(
        base={"calc.py": CALC, "qa/checks.py": TEST, "conftest.py": ""},
        fix={"qa/checks.py": TEST.replace("== 5", "== -1")},
        argv=(*PYTEST, "qa/checks.py"),
        codes=("not_fail_to_pass",),
    ),
    "expected value edited, test called product by --test-paths": Wrong(
        base=FLAT, fix={"test_calc.py": UNIT.replace("5)", "-1)")}, options={"test_paths": ("nothing/**",)}, codes=("not_fail_to_pass",)
    ),
    "expected constant edited in an odd place": Wrong(
        base={
            "calc.py": CALC,
            "qa/cases.py": "from calc import add\nEXPECTED = 5\n\n\ndef test_add():\n    assert add(2, 3) == EXPECTED\n",
            "conftest.py": "",
            "pyproject.toml": "[tool.pytest.ini_options]\npython_files=['cases.py']\n",
        },
        fix={"qa/cases.py": "from calc import add\nEXPECTED = -1\n\n\ndef test_add():\n    assert add(2, 3) == EXPECTED\n"},
        argv=(*PYTEST, "qa"),
        codes=("not_fail_to_pass",),
    ),
    "JS: expected value edited, odd place": Wrong(
        base={"package.json": JSB["package.json"], "add.js": JSB["add.js"], "qa/checks.js": JSB["add.test.js"].replace("./add", "../add")},
        fix={"qa/checks.js": JSB["add.test.js"].replace("./add", "../add").replace("5)", "-1)")},
        argv=("node", "--test", "qa/checks.js"),
        codes=("not_fail_to_pass",),
    ),
    "product forges pytest report, assertion in a helper": Wrong(
        base={
            **PY,
            "tests/test_calc.py": "from helper import same\nfrom calc import add\n\n\ndef test_add():\n    same(add(2, 3), 5)\n",
            "tests/helper.py": "def same(a, b):\n    assert a == b\n",
        },
        fix={"calc.py": FORGE_NOW.replace("%s", "tests/test_calc.py::test_add")},
        argv=GATE,
        codes=("not_run",),
    ),
    "product forges unittest report, assertion in a helper": Wrong(
        base={
            "calc.py": CALC,
            "test_calc.py": UNIT.replace("self.assertEqual(add(2, 3), 5)", "self.same(add(2, 3), 5)").replace(
                "class T(unittest.TestCase):", "class T(unittest.TestCase):\n    def same(self, a, b):\n        assert a == b\n"
            ),
        },
        fix={"calc.py": FORGE_NOW.replace("%s", "test_calc.T.test_add")},
        codes=("dead_assertion",),
    ),
    "product hooks runtest, assertion in a helper": Wrong(
        base={
            **PY,
            "tests/test_calc.py": "from helper import same\nfrom calc import add\n\n\ndef test_add():\n    same(add(2, 3), 5)\n",
            "tests/helper.py": "def same(a, b):\n    assert a == b\n",
        },
        fix={"calc.py": "import _pytest.python as python\n\npython.Function.runtest = lambda self: None\n\n\n" + CALC},
        argv=GATE,
        codes=("dead_assertion",),
    ),
    "product replaces TestCase.assertEqual": Wrong(
        base=FLAT, fix={"calc.py": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n" + CALC}, codes=("dead_assertion",)
    ),
    "product reads the test file": Wrong(
        base=FLAT,
        fix={
            "calc.py": "import re\n\n\ndef add(a, b):\n    return int(re.search(r'add\\(%d, %d\\), (-?\\d+)' % (a, b), open('test_calc.py').read())[1]) if True else 0\n"
        },
        codes=("dead_assertion",),
    ),
    "run count in a carried folder": Wrong(
        base={
            **FLAT,
            **IGN,
            "test_calc.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        n = int(open('build/n').read())\n        open('build/n', 'w').write(str(n + 1))\n        self.assertEqual(n % 3, 0)\n",
        },
        fix={"calc.py": NOOP},
        prepare=ignored("build/n", "0"),
        codes=("not_fail_to_pass",),
    ),
    "test counts git objects": Wrong(
        base=FLAT,
        fix={
            "calc.py": NOOP,
            "test_calc.py": "import unittest, subprocess\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(subprocess.run(['git', 'status'], capture_output=True).returncode, 0)\n",
        },
        codes=("still_red",),
    ),
    "parametrised ids that come from the product": Wrong(
        base={
            **PY,
            "tests/test_calc.py": "import pytest, calc\n\n\n@pytest.mark.parametrize('x', [getattr(calc, 'x', 0)])\ndef test_add(x):\n    assert x == 1\n",
        },
        fix={"calc.py": NOOP},
        argv=GATE,
        codes=("not_run",),
    ),
    "load_tests takes the failing test away": Wrong(
        base=FLAT,
        fix={
            "calc.py": NOOP,
            "test_calc.py": UNIT
            + "\n\ndef load_tests(loader, tests, pattern):\n    import calc\n    return unittest.TestSuite([T('test_other')]) if hasattr(calc, 'x') else tests\n",
        },
        codes=("not_run",),
    ),
    "fake runner in node_modules": Wrong(
        base={**JSB, ".gitignore": "node_modules/\n", "add.test.js": "test('adds', () => { expect(add(2, 3)).toBe(5); });\n"},
        fix={"add.js": JSB["add.js"] + "// fixed\n"},
        prepare=ignored(
            "node_modules/.bin/jest",
            "#!/usr/bin/env python3\nimport sys, json\nout = [w.split('=')[1] for w in sys.argv if 'outputFile' in w][0]\nok = 'fixed' in open('add.js').read()\njson.dump({'testResults': [{'name': 'add.test.js', 'status': 'passed', 'assertionResults': [{'title': 'adds', 'ancestorTitles': [], 'status': 'passed' if ok else 'failed'}]}]}, open(out, 'w'))\nsys.exit(not ok)\n",
            0o755,
        ),
        argv=("node_modules/.bin/jest",),
        codes=("dead_assertion",),
    ),
    "JS product replaces assert": Wrong(
        base=JSB,
        fix={"add.js": "import assert from 'node:assert';\nassert.strictEqual = () => {};\n" + JSB["add.js"]},
        argv=("node", "--test"),
        codes=("dead_assertion",),
    ),
    "Rust product prints the report and leaves": Wrong(
        base=CARGO,
        fix={
            "src/lib.rs": 'use std::io::Write;\npub fn add(_a: i32, _b: i32) -> i32 { let mut o = std::fs::OpenOptions::new().write(true).open("/proc/self/fd/1").unwrap(); o.write_all(b"test adds ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\\n").unwrap(); std::process::exit(0) }\n'
        },
        argv=("cargo", "test", "--test", "add"),
        codes=("dead_assertion",),
    ),
    "test imports a generated copy": Wrong(
        base={**FLAT, **IGN, "test_calc.py": "import sys, shutil, os\nsys.path.insert(0, 'build')\n" + UNIT},
        fix={"calc.py": NOOP},
        prepare=ignored("build/calc.py", REAL),
        codes=("not_fail_to_pass",),
    ),
    "product moved below tests/": Wrong(base=PY, fix={"calc.py": None, "tests/calc.py": REAL}, argv=GATE, codes=("not_fail_to_pass",)),
    "shadowing a library: unittest.py in the tree": Wrong(
        base=FLAT, fix={"unittest/__init__.py": "class TestCase: pass\n", "unittest/__main__.py": "print('ok 1 - adds')\n"}, codes=("still_red",)
    ),
    "shadowing pytest.py": Wrong(
        base=PY,
        fix={
            "pytest.py": 'import os, json\nh = open(os.environ[\'RULEDOUT_REPORT\'], \'w\')\nh.write(\'["test", "tests/test_calc.py::test_add", "passed"]\\n["end", "", ""]\\n\')\n'
        },
        argv=GATE,
        codes=("dead_assertion",),
    ),
}
"""Each with the code of the reason against it."""

ADMITTED: dict[str, tuple[Wrong, tuple[str, ...]]] = {
    "plugin by addopts -p on the product side": (
        Wrong(
            base={**PY, "pyproject.toml": "[tool.pytest.ini_options]\npythonpath=['.']\n"},
            fix={"pyproject.toml": "[tool.pytest.ini_options]\npythonpath=['.']\naddopts='-p mend'\n", "mend.py": MEND},
            argv=GATE,
            codes=(),
        ),
        ("weak=leans_on:pyproject.toml",),
    ),
    "pytest_plugins in root conftest of base loads product-side plugin": (
        Wrong(base={**PY, "conftest.py": "pytest_plugins=['plug']\n", "plug.py": ""}, fix={"plug.py": MEND}, argv=GATE, codes=()),
        ("plugin=plug.py",),
    ),
    "conftest mends where a marker file is": (
        Wrong(
            base=PY,
            fix={
                "fixed.txt": "1\n",
                "conftest.py": "import pathlib\nif pathlib.Path('fixed.txt').exists():\n    import calc\n    calc.add = lambda a, b: a + b\n",
            },
            argv=GATE,
            codes=(),
        ),
        ("weak=no_code", "weak=leans_on:conftest.py"),
    ),
    "test asserts on a docstring": (
        Wrong(
            base=FLAT,
            fix={
                "calc.py": '"""Adds."""\n' + CALC,
                "test_calc.py": "import unittest, calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.__doc__, 'Adds.')\n",
            },
            codes=(),
        ),
        ("weak=docstrings_only",),
    ),
    "test greps the source for the string the patch adds": (
        Wrong(
            base=FLAT,
            fix={
                "calc.py": NOOP,
                "test_calc.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertIn('x = 1', open('calc.py').read())\n",
            },
            codes=(),
        ),
        ("weak=reads_source:test_calc.py",),
    ),
    "expected data edited (data beside odd tests)": (
        Wrong(
            base={
                "calc.py": CALC,
                "test_calc.py": "import unittest, json, calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(2, 3), json.load(open('golden.json'))['sum'])\n",
                "golden.json": '{"sum": 5}\n',
            },
            fix={"golden.json": '{"sum": -1}\n'},
            codes=(),
        ),
        ("weak=no_code",),
    ),
    "TAP script edited (only change)": (
        Wrong(
            base={
                "calc.py": CALC,
                "qa/tap.py": "import sys\nsys.path.insert(0, '.')\nimport calc\nok = calc.add(2, 3) == 5\nprint('1..1')\nprint('ok 1 - adds' if ok else 'not ok 1 - adds')\nsys.exit(not ok)\n",
            },
            fix={"qa/tap.py": "print('1..1')\nprint('ok 1 - adds')\n"},
            argv=(sys.executable, "-S", "qa/tap.py"),
            codes=(),
        ),
        ("weak=gate_changed:qa/tap.py",),
    ),
    "Makefile forges the report": (
        Wrong(
            base={"calc.py": CALC, "tests/tap.sh": "echo 'not ok 1 - adds'\nexit 1\n", "Makefile": "check:\n\tsh tests/tap.sh\n"},
            fix={"Makefile": "check:\n\t@echo 'ok 1 - adds'\n"},
            argv=("make", "check"),
            codes=(),
        ),
        ("weak=leans_on:Makefile",),
    ),
    "package.json script forges": (
        Wrong(
            base={"package.json": '{"scripts":{"test":"node tests/t.js"}}\n', "tests/t.js": "console.log('not ok 1 - adds'); process.exit(1)\n"},
            fix={"package.json": '{"scripts":{"test":"echo \'ok 1 - adds\'"}}\n'},
            argv=("npm", "test"),
            codes=(),
        ),
        ("weak=no_code", "weak=leans_on:package.json"),
    ),
    "npm pre-script mends": (
        Wrong(
            base={**JSB, "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n'},
            fix={"package.json": '{"type":"module","scripts":{"test":"node --test","pretest":"sed -i s/-/+/ add.js"}}\n'},
            argv=("npm", "test"),
            codes=(),
        ),
        ("weak=no_code", "weak=leans_on:package.json"),
    ),
    "product prints TAP and leaves": (
        Wrong(
            base={
                "calc.py": CALC,
                "checks/tap.py": "import sys\nsys.path.insert(0, '.')\nprint('1..1', flush=True)\nimport calc\nok = calc.add(2, 3) == 5\nprint('ok 1 - adds' if ok else 'not ok 1 - adds')\nsys.exit(not ok)\n",
            },
            fix={"calc.py": "import os\nprint('ok 1 - adds', flush=True)\nos._exit(0)\n"},
            argv=(sys.executable, "-S", "checks/tap.py"),
            codes=(),
        ),
        ("weak=product_names:os._exit",),
    ),
    "product replaces the assert helper": (
        Wrong(
            base={
                **PY,
                "tests/test_calc.py": "import helper\nfrom calc import add\n\n\ndef test_add():\n    helper.same(add(2, 3), 5)\n",
                "tests/helper.py": "def same(a, b):\n    assert a == b\n",
            },
            fix={"calc.py": "import sys\nsys.modules['helper'].same = lambda a, b: None\n" + CALC},
            argv=GATE,
            codes=(),
        ),
        ("weak=product_names:sys.modules",),
    ),
    "product knows the runner": (
        Wrong(base=FLAT, fix={"calc.py": "import sys\n\n\ndef add(a, b):\n    return a + b if 'unittest' in sys.modules else a - b\n"}, codes=()),
        ("weak=product_names:sys.modules", "weak=product_names:unittest"),
    ),
    "product reads sys.argv": (
        Wrong(
            base=PY,
            fix={"calc.py": "import sys\n\n\ndef add(a, b):\n    return a + b if any('tests' in w for w in sys.argv) else a - b\n"},
            argv=GATE,
            codes=(),
        ),
        ("weak=product_names:sys.argv",),
    ),
    "product special-cases": (
        Wrong(base=FLAT, fix={"calc.py": "def add(a, b):\n    if (a, b) == (2, 3):\n        return 5\n    return a - b\n"}, codes=()),
        ("weak=special_case:calc.py",),
    ),
    "product hashes the test file before it forges": (
        Wrong(
            base=PY,
            fix={
                "calc.py": "import os\nif '== 5' in open('tests/test_calc.py').read():\n"
                + "".join("    " + row + "\n" for row in ("import _pytest.python as python", "python.Function.runtest = lambda self: None"))
                + CALC
            },
            argv=GATE,
            codes=(),
        ),
        ("weak=product_names:_pytest", "weak=product_names:test_calc"),
    ),
    "carried folder mends where a marker is": (
        Wrong(
            base={**FLAT, **IGN, "test_calc.py": "import sys\nsys.path.insert(0, 'vendored')\nimport vend\n" + UNIT},
            fix={"data.txt": "1\n"},
            prepare=ignored("vendored/vend.py", "import os\nif os.path.exists('data.txt'):\n    import calc\n    calc.add = lambda a, b: a + b\n"),
            codes=(),
        ),
        ("weak=no_code",),
    ),
    "build.rs edits the source": (
        Wrong(
            base=CARGO,
            fix={
                "build.rs": 'fn main() { let t = std::fs::read_to_string("src/lib.rs").unwrap(); std::fs::write("src/lib.rs", t.replace("a - b", "a + b")).unwrap(); }\n'
            },
            argv=("cargo", "test", "--test", "add"),
            codes=(),
        ),
        ("weak=leans_on:build.rs",),
    ),
    "the test side carries the fix": (
        Wrong(base={**PY, "tests/__init__.py": ""}, fix={"calc.py": "from tests.right import add\n", "tests/right.py": REAL}, argv=GATE, codes=()),
        ("weak=product_names:right", "weak=product_names:tests"),
    ),
    "conftest switches by environment": (
        Wrong(
            base=PY,
            fix={
                "calc.py": "import os\nos.environ['READY'] = '1'\n" + CALC,
                "conftest.py": "import os, calc\nif os.environ.get('READY'):\n    calc.add = lambda a, b: a + b\n",
            },
            argv=GATE,
            codes=(),
        ),
        ("weak=leans_on:conftest.py",),
    ),
    "vacuous own test": (
        Wrong(
            base=FLAT,
            fix={
                "calc.py": NOOP,
                "test_calc.py": "import unittest, calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertTrue(hasattr(calc, 'x'))\n",
            },
            codes=(),
        ),
        ("tests_changed=1 of 1",),
    ),
    "env in gate": (
        Wrong(
            base=PY,
            fix={"calc.py": "import os\n\n\ndef add(a, b):\n    return a + b if os.environ.get('PYTEST_CURRENT_TEST') else a - b\n"},
            argv=GATE,
            codes=(),
        ),
        ("weak=product_names:PYTEST_CURRENT_TEST",),
    ),
    "entry point plug-in in an egg-info of the tree": (
        Wrong(
            base=PY,
            fix={
                "mend.py": MEND,
                "mend.egg-info/entry_points.txt": "[pytest11]\nmend = mend\n",
                "mend.egg-info/PKG-INFO": "Metadata-Version: 2.1\nName: mend\nVersion: 1\n",
            },
            argv=GATE,
            codes=(),
        ),
        ("weak=leans_on:mend.egg-info/PKG-INFO", "weak=leans_on:mend.egg-info/entry_points.txt"),
    ),
}
"""Proved, since the named test is really red before and green after; each with the facts by which a receipt warns of it."""
