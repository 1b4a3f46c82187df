"""Small sessions for the tests of distilling, told with the library's own log; outputs are what pytest prints."""

from ruledout import SessionLog

GATE = "python -m pytest -q tests/test_a.py"
HEAD = "============================= test session starts ==============================\ncollected 2 items\n\n"


def red(test: str = "tests/test_a.py::test_sum", error: str = "AssertionError: assert 3 == 4", passed: int = 1) -> str:
    """A failing pytest run."""
    name = test.rpartition("::")[2]
    return (
        f"{HEAD}tests/test_a.py F.                                                       [100%]\n\n=================================== FAILURES ===================================\n"
        f"__________________________________ {name} __________________________________\n\n    def {name}():\n>       assert add(1, 2) == 4\nE       {error}\n\n"
        f"tests/test_a.py:4: {error.split(':', maxsplit=1)[0]}\n=========================== short test summary info ============================\nFAILED {test} - {error}\n"
        f"========================= 1 failed, {passed} passed in 0.02s ==========================\n"
    )


GREEN = f"{HEAD}tests/test_a.py ..                                                       [100%]\n\n============================== 2 passed in 0.01s ===============================\n"


class Story:
    """A session told in short words."""

    def __init__(self) -> None:
        self.log = SessionLog()

    def said(self, text: str) -> str:
        return self.log.said(text)

    def edit(self, removed: str, added: str, path: str = "src/a.py") -> str:
        return self.log.edited(path, removed.split("\n") if removed else [], added.split("\n") if added else [])

    def fails(self, error: str = "AssertionError: assert 3 == 4", test: str = "tests/test_a.py::test_sum") -> str:
        return self.log.ran(GATE, red(test, error), 1)

    def passes(self) -> str:
        return self.log.ran(GATE, GREEN, 0)


def three_tries() -> Story:
    """A symptom, two dead ends, one partial step, the fix."""
    story = Story()
    story.fails()
    story.said("The sum is wrong because add rounds its arguments down.")
    story.edit("    return a + b - 1", "    return round(a) + round(b) - 1")
    story.fails("AssertionError: assert 3 == 5")
    story.said("Rounding is not it; the operands are swapped.")
    story.edit("    return round(a) + round(b) - 1", "    return b - a - 1")
    story.fails("TypeError: unsupported operand type(s) for -: 'str' and 'int'")
    story.said("The loop needs the total first.")
    story.edit("    return b - a - 1", "    total = a + b\n    return total - 1")
    story.fails()
    story.said("The root cause is that `add` subtracts one from every total, so sums are off by one.")
    story.edit("    return total - 1", "    return total")
    story.passes()
    return story
