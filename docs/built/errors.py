"""The errors that the source raises and the refusals that it gives, read from the syntax trees. Gaps that are filled at run time show as `{name}`."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from built.cli import cell
from built.rules import module, sources

KINDS = {"BadInput": 2, "Refused": 1, "FalsificationLineageTruncationViolation": 1, "CannotRun": 3}
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*|NOT_ISOLATED")
TOLD = "(told at run time)"


class Raised(NamedTuple):
    """One place that makes an error: slug, kind, message, mend, module."""

    slug: str
    kind: str
    message: str
    mend: str
    place: str


def gap(node: ast.expr) -> str:
    """A gap in a text, by the name of what fills it where it has one: `{path}`, `{...}`."""
    inner = node.value if isinstance(node, ast.FormattedValue) else node
    name = inner.id if isinstance(inner, ast.Name) else inner.attr if isinstance(inner, ast.Attribute) else "..."
    return f"{{{name}}}"


def text_of(node: ast.expr | None, known: dict[str, ast.expr], depth: int = 3) -> str:
    """What an expression says: constants as they are, gaps by name, names of module constants looked up, joined parts joined."""
    if isinstance(node, ast.Constant):
        return str(node.value) if isinstance(node.value, str) else TOLD
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else gap(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return text_of(node.left, known).replace(TOLD, "{...}") + text_of(node.right, known).replace(TOLD, "{...}")
    if isinstance(node, ast.IfExp):
        return f"{text_of(node.body, known)} / {text_of(node.orelse, known)}"
    if isinstance(node, ast.Name) and node.id in known and depth:
        return text_of(known[node.id], known, depth - 1)
    return TOLD


def constants(tree: ast.Module) -> dict[str, ast.expr]:
    """What the module binds to names at its top."""
    known: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            known.update({target.id: node.value for target in node.targets if isinstance(target, ast.Name)})
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            known[node.target.id] = node.value
    return known


def arguments(call: ast.Call, names: tuple[str, ...], known: dict[str, ast.expr]) -> list[str]:
    """The texts of a call's arguments, by place or by name."""
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False)) | {word.arg: word.value for word in call.keywords if word.arg}
    return [text_of(given.get(name), known) for name in names]


def called(call: ast.Call) -> str:
    """The bare name of what is called."""
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""


@cache
def raised(root: Path) -> tuple[Raised, ...]:
    """Every call of an error's class in the source."""
    found: list[Raised] = []
    for path in sources(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known, place = constants(tree), module(root, path)
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) in KINDS]
        for call in calls:
            slug, message, mend = arguments(call, ("slug", "message", "mend"), known)
            found.append(Raised(slug, called(call), message, mend, place))
    return tuple(sorted(set(found)))


def table(root: Path) -> str:
    """The table of docs/errors.md."""
    rows = [f"| `{e.slug}` | {KINDS[e.kind]} | {cell(e.message)} | {cell(e.mend)} | `{e.place}` |" for e in raised(root)]
    return "\n".join(["| slug | exit | what was seen | what to do | raised in |", "|---|---|---|---|---|", *rows, ""])


@cache
def reasons(root: Path) -> tuple[tuple[str, ...], ...]:
    """Every refusal that the prover and the policy can give: rule, code, message, mend, module; from the calls that make a `Reason`."""
    found: set[tuple[str, ...]] = set()
    for path in sources(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        known, place = constants(tree), module(root, path)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and called(node) == "Reason":
                found.add((*arguments(node, ("rule", "code", "message", "mend"), known), place))
    return tuple(sorted(found))


def refusals(root: Path) -> str:
    """The table of refusal codes."""
    rows = [f"| {rule} | `{code}` | {cell(message)} | {cell(mend)} | `{place}` |" for rule, code, message, mend, place in reasons(root)]
    return "\n".join(["| rule | code | what was seen | what to do | given in |", "|---|---|---|---|---|", *rows, ""])


def broken(root: Path) -> list[str]:
    """Slugs that are not in kebab case, or that stand for two kinds of error."""
    kinds: dict[str, set[str]] = {}
    for error in raised(root):
        kinds.setdefault(error.slug, set()).add(error.kind)
    odd = [f"{error.place}: the slug {error.slug!r} is not in kebab case" for error in raised(root) if error.slug != TOLD and not SLUG.fullmatch(error.slug)]
    odd += [
        f"the slug {slug!r} stands for {' and '.join(sorted(names))}"
        for slug, names in sorted(kinds.items())
        if slug != TOLD and len({KINDS[n] for n in names}) > 1
    ]
    return odd + [f"{place}: the code {code!r} is not in snake case" for _, code, _, _, place in reasons(root) if code != TOLD and not CODE.fullmatch(code)]
