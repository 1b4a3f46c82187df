"""Guards found again by their code: through shifts, moves, new layout and new names; and lost, said so, where they are."""

import ast
from pathlib import Path

import pytest

from ruledout.model.attempt import Guard
from ruledout.model.gate import Anchor
from ruledout.recall.anchor import anchor, best, places
from ruledout.recall.fate import LOST as FINDINGS
from ruledout.recall.fate import Fate, State, fate, found
from ruledout.recall.tokens import flat

PY = """import os


def total(cart, rate):
    items = list(cart)
    if not items:
        return 0
    if rate is None or rate < 0:
        raise ValueError("rate", rate)
    return sum(items) * rate


def other(cart):
    return len(cart)
"""
SHORT = "    if not items:\n        return 0"
LONG = '    if rate is None or rate < 0:\n        raise ValueError("rate", rate)'
JS = """export function total(cart, rate) {
  const items = [...cart];
  if (rate === null || rate < 0) {
    throw new RangeError('rate');
  }
  return items.length * rate;
}
"""
JS_GUARD = "  if (rate === null || rate < 0) {\n    throw new RangeError('rate');\n  }"


def guard(snippet: str, text: str = PY, path: str = "shop/cart.py") -> Guard:
    """A guard as an ablation keeps it."""
    first = text[: text.index(snippet)].count("\n") + 1
    known = anchor(path, text, first, first + snippet.count("\n"))
    return Guard(location=f"{path}:{first}", snippet_digest="r1:sha256:0", neutralizes=("b1",), snippet=snippet, anchor=known)


def became(one: Guard, after: dict[str, str], before: dict[str, str] | None = None) -> Fate:
    return fate(one, before or {"shop/cart.py": PY}, after)


def test_an_anchor_names_the_symbol_and_the_code_on_either_side() -> None:
    assert guard(SHORT).anchor == Anchor(
        symbol="total",
        before=("def total ( cart , rate ) :", "items = list ( cart )"),
        after=("if rate is None or rate < 0 :", 'raise ValueError ( "rate , rate )'),
    )
    assert guard(JS_GUARD, JS, "shop/cart.js").anchor.symbol == "total"


CHANGED = {
    "lines above": PY.replace("import os\n", "import os\nimport sys\n\nLIMIT = 3\n"),
    "a comment inside": PY.replace("    if rate is None", "    # rates come from outside\n    if rate is None").replace(
        "rate)\n    return sum", "rate)  # never\n    return sum"
    ),
    "other quotes": PY.replace('"rate"', "'rate'"),
    "brackets and breaks": PY.replace(
        '    if rate is None or rate < 0:\n        raise ValueError("rate", rate)',
        '    if (\n        rate is None\n        or rate < 0\n    ):\n        raise ValueError(\n            "rate",\n            rate,\n        )',
    ),
    "deeper in a block": PY.replace(LONG, "    with os.scandir():\n" + "\n".join("    " + row for row in LONG.split("\n"))),
    "two more blanks an indent": PY.replace("        ", "            ").replace("\n    ", "\n      "),
    "a body around it": PY.replace("    return sum(items) * rate", "    tax = sum(items) * rate\n    return round(tax)"),
    "the function renamed": PY.replace("def total", "def grand_total"),
    "a method now": PY.replace("def total(cart, rate)", "class Cart:\n  def total(cart, rate)").replace("\n    ", "\n      "),
    "windows line ends": PY.replace("\n", "\r\n").replace("\r\n", "\n"),
    "no line end": PY.rstrip("\n"),
}


@pytest.mark.parametrize("name", CHANGED)
@pytest.mark.parametrize("snippet", [SHORT, LONG], ids=["short", "long"])
def test_a_guard_is_found_again_after(name: str, snippet: str) -> None:
    seen = became(guard(snippet), {"shop/cart.py": CHANGED[name]})
    assert seen.state in (State.KEPT, State.MOVED), seen


@pytest.mark.parametrize("snippet", [SHORT, LONG], ids=["short", "long"])
def test_a_guard_is_found_again_in_a_file_of_another_name(snippet: str) -> None:
    seen = became(guard(snippet), {"store/basket.py": PY.replace("import os\n", "")})
    assert (seen.state, seen.now.path if seen.now else "") == (State.MOVED, "store/basket.py")


LOST = {
    "taken out": (PY.replace(LONG + "\n", ""), State.REMOVED),
    "weaker": (PY.replace("rate is None or rate < 0", "rate is None"), State.CHANGED),
    "another limit": (PY.replace("rate < 0", "rate < 1"), State.CHANGED),
    "commented out": (
        PY.replace(LONG, "\n".join("    # " + row.strip() if row.startswith("    if") else "    #     " + row.strip() for row in LONG.split("\n"))),
        State.DISABLED,
    ),
    "under a false": (PY.replace(LONG, "    if False:\n" + "\n".join("    " + row for row in LONG.split("\n"))), State.DISABLED),
    "behind a return": (PY.replace(LONG, "    return sum(items)\n" + LONG), State.DISABLED),
    "behind a raise": (PY.replace(LONG, "    raise SystemExit\n" + LONG), State.DISABLED),
    "in a string": (PY.replace(LONG, '    """\n' + LONG.replace('"', "'") + '\n    """'), State.REMOVED),
    "emptied": (PY.replace('        raise ValueError("rate", rate)', "        pass"), State.CHANGED),
}


@pytest.mark.parametrize("name", LOST)
def test_a_guard_is_said_to_be_lost_when(name: str) -> None:
    text, state = LOST[name]
    seen = became(guard(LONG), {"shop/cart.py": text})
    assert (seen.state, seen.was.first if seen.was else 0, bool(seen.why)) == (state, 8, True)


def test_a_deleted_file_takes_its_guards_along() -> None:
    assert became(guard(LONG), {}).state is State.REMOVED


def test_a_short_guard_that_went_is_not_taken_for_equal_words_elsewhere() -> None:
    twice = PY.replace("def other(cart):\n", "def other(cart):\n    items = cart\n" + SHORT + "\n")
    seen = became(guard(SHORT, twice), {"shop/cart.py": twice.replace(SHORT + "\n", "", 1)}, {"shop/cart.py": twice})
    assert seen.state is State.REMOVED


def test_a_copy_that_always_stood_in_another_file_does_not_stand_in_for_it() -> None:
    copy = PY.replace("def total", "def price")
    seen = became(guard(LONG), {"shop/cart.py": PY.replace(LONG + "\n", ""), "shop/b.py": copy + "X = 2\n"}, {"shop/cart.py": PY, "shop/b.py": copy})
    assert seen.state is State.REMOVED


def test_short_words_that_come_up_elsewhere_in_the_same_change_are_not_the_guard() -> None:
    other = PY.replace(SHORT + "\n", "").replace("    return len(cart)", "    items = cart.items\n" + SHORT + "\n    return len(cart)")
    assert became(guard(SHORT), {"shop/cart.py": other}).state in FINDINGS


def test_a_guard_that_could_not_run_before_is_no_loss_of_this_change() -> None:
    dead = PY.replace(LONG, "    return 0\n" + LONG)
    assert became(guard(LONG), {"shop/cart.py": PY.replace(LONG, "    return 0")}, {"shop/cart.py": dead}).state is State.STALE


def test_one_of_two_equal_guards_in_one_function_is_missed() -> None:
    twice = PY.replace("    return sum(items)", SHORT + "\n    return sum(items)")
    gone = twice.replace(SHORT + "\n", "", 1)
    assert became(guard(SHORT, twice), {"shop/cart.py": gone}, {"shop/cart.py": twice}).state is State.REMOVED


def test_what_was_lost_before_is_no_fault_of_a_later_change() -> None:
    gone = PY.replace(LONG + "\n", "")
    assert became(guard(LONG), {"shop/cart.py": gone + "\nX = 1\n"}, {"shop/cart.py": gone}).state is State.STALE


def test_a_change_of_other_files_does_not_touch_it() -> None:
    assert became(guard(LONG), {"a.py": "x = 2\n"}, {"a.py": "x = 1\n"}).state is State.UNTOUCHED


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (JS.replace("'rate'", '"rate"').replace("(rate === null || rate < 0)", "(\n    rate === null ||\n    rate < 0\n  )"), State.KEPT),
        (JS.replace(";\n  }", "\n  }"), State.KEPT),
        (JS.replace("rate < 0", "rate <= 0"), State.CHANGED),
        (JS.replace(JS_GUARD, "\n".join("  // " + row for row in JS_GUARD.split("\n"))), State.DISABLED),
        (JS.replace(JS_GUARD + "\n", ""), State.REMOVED),
    ],
    ids=["reformatted", "without semicolons", "changed", "commented out", "removed"],
)
def test_other_languages_by_their_tokens(text: str, state: State) -> None:
    one = guard(JS_GUARD, JS, "shop/cart.js")
    assert fate(one, {"shop/cart.js": JS}, {"shop/cart.js": text}).state is state


def test_where_a_guard_stands_now_and_that_it_is_lost() -> None:
    one = guard(LONG)
    moved = found(one, {"shop/cart.py": "X = 1\n" + PY}, "shop/cart.py")
    assert moved is not None
    assert (moved.first, moved.last, moved.symbol) == (9, 10, "total")
    assert found(one, {"shop/cart.py": "X = 1\n"}, "shop/cart.py") is None


def test_every_check_of_this_program_is_found_in_the_same_number_of_places_after_its_file_was_laid_out_anew() -> None:
    root = Path(__file__).parents[2] / "src" / "ruledout"
    checked = 0
    for file in sorted(root.glob("prove/*.py"))[:12]:
        text = file.read_text()
        other = ast.unparse(ast.parse(text))
        lines = text.split("\n")
        for node in [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If)][:8]:
            snippet = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            if snippet.lstrip().startswith("if "):
                assert len(places("a.py", other, snippet)) == len(places("a.py", text, snippet)) > 0, (file, snippet)
                checked += 1
    assert checked > 30


def test_a_text_that_does_not_parse_is_searched_by_its_tokens() -> None:
    assert [place.first for place in places("a.py", "def f(:\n" + PY, LONG)] == [9]


def test_nothing_stands_anywhere() -> None:
    assert places("a.py", PY, "  # only a comment\n") == ()
    assert best((), "a.py", 1, Anchor()) is None


def test_layout_and_comments_do_not_count_and_everything_else_does() -> None:
    assert flat("a.go", "if x { // why\n\treturn f(a, b,\n\t)\n}") == flat("a.go", "if x {\n return f( a , b )\n}")
    assert flat("a.py", "x = 'a'") == flat("a.py", 'x = "a"') != flat("a.py", "x = a")
    assert flat("a.py", "x = f(a)") != flat("a.py", "x = f(a, b)")
