"""The fronts of the hook, as an installer writes them out: a shell script, and one for PowerShell. They stand here as files; nothing runs them from here."""

# ruff: noqa: PTH100, PTH118, PTH120, PTH123  # as in the doors of the hook

import os


def front(python: str, *, windows: bool = False) -> str:
    """The text of the script, for this interpreter and this package. Raises `ValueError` for a path that no quotes can hold."""
    here = os.path.dirname(os.path.abspath(__file__))
    if any(letter in f"{python}{here}" for letter in "'\n"):
        raise ValueError(f"the front cannot name {python!a} or {here!a}: a quote or a line end stands in it")
    with open(os.path.join(here, "ruledout-hook.ps1" if windows else "ruledout-hook"), encoding="utf-8") as file:
        return file.read().replace("@PYTHON@", python).replace("@PACKAGE@", os.path.dirname(os.path.dirname(os.path.dirname(here))))
