"""The toolchains of `observe`, in the order in which they are asked: name, programs, and what its docstring says is read. Read from the syntax trees."""

import ast
from pathlib import Path

from built.cli import cell

MOST = 8


def order(root: Path) -> list[str]:
    """The modules, as the table in `observe/outcome.py` lists them."""
    source = root / "src/ruledout/observe/outcome.py"
    tree = ast.parse(source.read_text(encoding="utf-8") if source.exists() else "")
    known = {path.stem for path in (root / "src/ruledout/observe/tools").glob("*.py")} - {"__init__"}
    table = next((node.value for node in tree.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "TOOLCHAINS"), None)
    nodes = [node for node in ast.walk(table or ast.Module([], [])) if isinstance(node, ast.Name | ast.Constant)]
    named = [(node.lineno, node.col_offset, node.id if isinstance(node, ast.Name) else str(node.value)) for node in nodes]
    listed = [name for _, _, name in sorted(named) if name in known]
    return [*listed, *sorted(known - set(listed))]


def row(root: Path, module: str) -> str:
    """One toolchain."""
    tree = ast.parse((root / "src/ruledout/observe/tools" / f"{module}.py").read_text(encoding="utf-8"))
    words = next((node.value for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and "PROGRAMS" in ast.unparse(node).split("=")[0]), None)
    programs = sorted(n.value for n in ast.walk(words) if isinstance(n, ast.Constant) and isinstance(n.value, str)) if words is not None else []
    shown = ", ".join(f"`{name}`" for name in programs[:MOST]) + (f" and {len(programs) - MOST} more" if len(programs) > MOST else "")
    said = (ast.get_docstring(tree) or "").split("\n\n")[0]
    return f"| `{module}` | {shown} | {cell(said)} |"


def table(root: Path) -> str:
    """The table of docs/outcomes.md."""
    return "\n".join(["| module | is asked for | reads |", "| --- | --- | --- |", *(row(root, name) for name in order(root)), ""])
