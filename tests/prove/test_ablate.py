"""Ablation on small repositories whose load-bearing lines are known: each piece out alone, what fails without it, and the smallest patch that does."""

import subprocess

import msgspec
import pytest
from tests.prove.corpus.repo import UNITTEST, Repo

from ruledout.model.gate import Depth, Need, Piece, ProofVerdict
from ruledout.ports import Claim, DepthRequest

BASE = "def price(total, rate):\n    return total * rate\n"


def depth(repo: Repo, *argv: str, **options: object) -> Depth:
    proof = repo.prove(*(argv or (*UNITTEST, "test_it")), depth=DepthRequest(**options))  # type: ignore[arg-type]  # fields of the request
    assert proof.verdict is ProofVerdict.PROVED, proof.reasons
    assert proof.depth is not None
    return proof.depth


def needs(found: Depth) -> list[tuple[str, str, str]]:
    """Place, first line, need."""
    return [(piece.location, piece.snippet.strip().split("\n")[0], piece.need.value) for piece in found.pieces]


def piece(found: Depth, start: str) -> Piece:
    return next(one for one in found.pieces if one.snippet.strip().startswith(start))


def cases(*bodies: str) -> str:
    cases = "".join(f"\n    def test_{number}(self):\n        {body}\n" for number, body in enumerate(bodies, 1))
    return f"import unittest\nimport it\n\n\nclass T(unittest.TestCase):{cases}"


def fixed(repo: Repo, base: dict[str, str], fix: dict[str, str | None]) -> Repo:
    repo.commit(base)
    repo.write(fix)
    return repo


def test_independent_statements_of_one_hunk_are_told_apart(repo: Repo) -> None:
    fix = "def price(total, rate):\n    if total < 0:\n        raise ValueError(total)\n    if rate > 10:\n        rate = 10\n    print('priced')\n    return total * rate\n"
    fixed(
        repo,
        {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")},
        {"it.py": fix, "test_it.py": cases("self.assertRaises(ValueError, it.price, -1, 2)", "self.assertEqual(it.price(2, 99), 20)")},
    )

    found = depth(repo)

    assert needs(found) == [
        ("it.py:2", "if total < 0:", "load_bearing"),
        ("it.py:4", "if rate > 10:", "load_bearing"),
        ("it.py:6", "print('priced')", "unproven"),
    ]
    assert [one.failing for one in found.pieces] == [("test_it.T.test_1",), ("test_it.T.test_2",), ()]
    assert piece(found, "if rate").signature is not None
    assert piece(found, "if rate").anchor.symbol == "price"
    assert [len(one.runs) for one in found.pieces] == [2, 2, 1]


def test_redundant_guards_hide_each_other_alone_and_one_of_them_is_enough(repo: Repo) -> None:
    base = "def first(names):\n    names = list(names)\n    return names[0]\n\n\ndef pick(names):\n    names = list(names)\n    return first(names)\n"
    fix = base.replace("    return names[0]", "    if not names:\n        return None\n    return names[0]").replace(
        "    return first(names)", "    if not names:\n        return None\n    return first(names)"
    )
    fixed(repo, {"it.py": base, "test_it.py": cases("it.first('a')")}, {"it.py": fix, "test_it.py": cases("self.assertIsNone(it.pick([]))")})

    found = depth(repo, minimise=True)

    assert [one.need for one in found.pieces] == [Need.UNPROVEN, Need.UNPROVEN]
    assert found.minimal is not None
    assert (len(found.minimal.kept), len(found.minimal.left_out), found.minimal.open) == (1, 1, 0)
    (repo.root / "smallest.diff").write_text(found.minimal.patch)
    repo.git("checkout", "-q", "--", "it.py")
    repo.git("apply", "smallest.diff")
    (repo.root / "smallest.diff").unlink()
    assert repo.prove(*UNITTEST, "test_it").verdict is ProofVerdict.PROVED


def test_statements_that_set_what_was_there_before_do_not_need_each_other(repo: Repo) -> None:
    fix = "def price(total, rate):\n    if total > 100:\n        rate = 1\n    if total > 1000:\n        rate = 0\n    return total * rate\n"
    fixed(
        repo,
        {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")},
        {"it.py": fix, "test_it.py": cases("self.assertEqual(it.price(101, 2), 101)", "self.assertEqual(it.price(2000, 2), 0)")},
    )

    assert needs(depth(repo)) == [("it.py:2", "if total > 100:", "load_bearing"), ("it.py:4", "if total > 1000:", "load_bearing")]


def test_hunks_that_only_parse_together_are_one_piece(repo: Repo) -> None:
    base = "def f(x):\n    return sum(\n        x,\n    )\n"
    fix = "def f(x):\n    return max(sum(\n        x,\n    ), 0)\n"
    fixed(repo, {"it.py": base, "test_it.py": cases("it.f([1])")}, {"it.py": fix, "test_it.py": cases("self.assertEqual(it.f([-1]), 0)")})

    assert needs(depth(repo)) == [("it.py:2", "return max(sum(", "load_bearing")]


def test_the_smallest_patch_of_many_pieces_keeps_what_is_needed_and_one_of_two_that_cover_for_each_other(repo: Repo) -> None:
    base = "def f(n):\n    a = n\n    b = a\n    c = b\n    d = c\n    return d\n"
    lines = ["    print(1)", "    a = max(a, 0)", "    print(2)", "    b = min(b, 9)", "    c = min(c, 9)", "    print(3)"]
    fix = f"def f(n):\n    a = n\n{lines[0]}\n{lines[1]}\n    b = a\n{lines[2]}\n{lines[3]}\n    c = b\n{lines[4]}\n    d = c\n{lines[5]}\n    return d\n"
    fixed(
        repo,
        {"it.py": base, "test_it.py": cases("it.f(1)")},
        {"it.py": fix, "test_it.py": cases("self.assertEqual(it.f(-1), 0)", "self.assertEqual(it.f(99), 9)")},
    )

    found = depth(repo, ablate=False, minimise=True)

    assert found.pieces == ()
    assert found.minimal is not None
    assert (found.minimal.open, len(found.minimal.kept), len(found.minimal.left_out)) == (0, 2, 4)
    assert "it.py:4" in found.minimal.kept
    assert {"it.py:7", "it.py:9"} & set(found.minimal.kept)


def test_a_cut_that_breaks_the_syntax_is_no_evidence_and_is_joined_with_its_other_half(repo: Repo) -> None:
    base = "def f(x):\n    y = x\n    z = y\n    return z\n"
    fix = "def f(x):\n    try:\n        y = 1 / x\n    except ZeroDivisionError:\n        y = 0\n    z = y\n    return z\n"
    fixed(
        repo,
        {"it.py": base, "test_it.py": cases("it.f(1)")},
        {"it.py": fix, "test_it.py": cases("self.assertEqual(it.f(0.5), 2)", "self.assertEqual(it.f(0), 0)")},
    )
    claim = Claim(location="it.py:4", snippet="    except ZeroDivisionError:\n        y = 0")

    found = depth(repo, claims=(claim,))

    assert needs(found) == [("it.py:2", "try:", "load_bearing"), ("it.py:4", "except ZeroDivisionError:", "unresolved")]
    assert found.pieces[1].claimed == ("it.py:4",)
    assert "does not parse" in found.pieces[1].why


def test_comments_and_layout_are_unproven_without_a_run(repo: Repo) -> None:
    fix = "# prices\n\n\ndef price(total, rate):\n    return abs(total) * rate  # never negative\n"
    fixed(repo, {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")}, {"it.py": fix, "test_it.py": cases("self.assertEqual(it.price(-1, 2), 2)")})

    found = depth(repo)

    assert needs(found) == [("it.py:1", "# prices", "unproven"), ("it.py:5", "return abs(total) * rate  # never negative", "load_bearing")]
    assert piece(found, "# prices").runs == ()
    assert found.runs == 2


def test_a_second_file_an_added_one_and_what_its_functions_hold(repo: Repo) -> None:
    helper = "def clamp(rate):\n    if rate is None:\n        rate = 1\n    if rate > 10:\n        rate = 10\n    return rate\n\n\nUNUSED = 3\n"
    fix = "from helper import clamp\n\n\ndef price(total, rate):\n    return total * clamp(rate)\n"
    fixed(
        repo,
        {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")},
        {"it.py": fix, "helper.py": helper, "test_it.py": cases("self.assertEqual(it.price(2, 99), 20)")},
    )

    found = depth(repo)

    assert needs(found) == [
        ("helper.py:1", "def clamp(rate):", "load_bearing"),
        ("helper.py:2", "if rate is None:", "unproven"),
        ("helper.py:4", "if rate > 10:", "load_bearing"),
        ("helper.py:6", "return rate", "load_bearing"),
        ("helper.py:9", "UNUSED = 3", "unproven"),
        ("it.py:1", "from helper import clamp", "load_bearing"),
        ("it.py:5", "return total * clamp(rate)", "load_bearing"),
    ]
    slipped = {one.location: one.slipped for one in found.pieces}
    assert slipped["it.py:5"] == ""
    assert slipped["it.py:1"].startswith("NameError")
    assert slipped["helper.py:1"].startswith("ImportError")


def test_a_budget_that_is_spent_leaves_the_rest_unresolved(repo: Repo) -> None:
    fixed(
        repo,
        {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")},
        {"it.py": "import sys\n\n" + BASE.replace("total *", "abs(total) *"), "test_it.py": cases("self.assertEqual(it.price(-1, 2), 2)")},
    )

    found = depth(repo, budget_s=0.0, minimise=True)

    assert [(one.need, one.why) for one in found.pieces] == [(Need.UNRESOLVED, "not run: the time budget was spent before it")] * 2
    assert found.minimal is not None
    assert (found.minimal.kept, found.minimal.open, found.runs) == (("it.py:1", "it.py:4"), 2, 0)


def test_a_claim_that_the_tree_does_not_hold_is_unproven(repo: Repo) -> None:
    fixed(
        repo,
        {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")},
        {"it.py": BASE.replace("total *", "abs(total) *"), "test_it.py": cases("self.assertEqual(it.price(-1, 2), 2)")},
    )

    found = depth(
        repo, claims=(Claim(location="it.py:9", snippet="if rate is None:\n    return 0"), Claim(location="it.py:2", snippet="return abs( total )*rate"))
    )

    assert [(one.claimed, one.need) for one in found.pieces] == [(("it.py:9",), Need.UNPROVEN), (("it.py:2",), Need.LOAD_BEARING)]


def test_of_a_claim_in_a_file_that_the_fix_does_not_touch_the_gate_cannot_tell(repo: Repo) -> None:
    fixed(
        repo,
        {"it.py": BASE, "lib.py": "X = 1\n", "test_it.py": cases("it.price(1, 2)")},
        {"it.py": BASE.replace("total *", "abs(total) *"), "test_it.py": cases("self.assertEqual(it.price(-1, 2), 2)")},
    )

    found = depth(repo, claims=(Claim(location="lib.py:1", snippet="X = 1"), Claim(location="gone.py:1", snippet="X = 1")))

    assert [(one.claimed, one.need) for one in found.pieces if one.claimed] == [(("gone.py:1",), Need.UNPROVEN), (("lib.py:1",), Need.UNRESOLVED)]


NODE = {
    "it.js": "exports.price = (total, rate) => {\n  return total * rate;\n};\n",
    "it.test.js": "const test = require('node:test');\nconst it = require('./it.js');\ntest('a', () => { it.price(1, 2); });\n",
}


@pytest.mark.skipif(subprocess.run(["which", "node"], capture_output=True, check=False).returncode != 0, reason="no node here")
def test_other_languages_are_cut_at_statements_and_what_does_not_load_is_no_evidence(repo: Repo) -> None:
    fix = "exports.price = (total, rate) => {\n  if (total < 0) {\n    throw new RangeError('negative');\n  }\n  const most = 10;\n  rate = Math.min(rate, most);\n  console.log('priced');\n  return total * rate;\n};\n"
    test = (
        NODE["it.test.js"]
        .replace("{ it.price(1, 2); }", "{ require('assert').equal(it.price(2, 99), 20); }")
        .replace("\ntest(", "\ntest('b', () => { require('assert').throws(() => it.price(-1, 2)); });\ntest(", 1)
    )
    fixed(repo, NODE, {"it.js": fix, "it.test.js": test})

    found = depth(repo, "node", "--test", "it.test.js")

    assert [(one.location, one.lines, one.need.value) for one in found.pieces] == [
        ("it.js:2", 3, "load_bearing"),
        ("it.js:5", 2, "load_bearing"),
        ("it.js:7", 1, "unproven"),
    ]


def test_R13_a_secret_in_a_piece_or_beside_it_is_not_kept(repo: Repo) -> None:
    secret = "ghp_" + "a1B2" * 9
    fix = f"TOKEN = '{secret}'\n\n\ndef price(total, rate):\n    key = '{secret}'\n    return abs(total) * rate\n"
    base = f"TOKEN = '{secret}'\n\n\ndef price(total, rate):\n    return total * rate\n"
    fixed(repo, {"it.py": base, "test_it.py": cases("it.price(1, 2)")}, {"it.py": fix, "test_it.py": cases("self.assertEqual(it.price(-1, 2), 2)")})

    found = depth(repo, minimise=True)

    assert len(found.pieces) == 2
    assert secret.encode() not in msgspec.json.encode(found)


def test_the_repository_is_left_as_it_was(repo: Repo) -> None:
    fixed(
        repo,
        {"it.py": BASE, "test_it.py": cases("it.price(1, 2)")},
        {"it.py": BASE.replace("total *", "abs(total) *"), "test_it.py": cases("self.assertEqual(it.price(-1, 2), 2)")},
    )
    before = repo.state()
    depth(repo, minimise=True)
    assert repo.state() == before
