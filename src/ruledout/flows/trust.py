"""May this be run: the user's leave for a stored gate, asked for before anything stored is run (R12). Runs nothing."""

import msgspec
from msgspec import Struct

from ruledout import text
from ruledout.errors import Refused
from ruledout.flows.stored_gate import StoredGate
from ruledout.rerun import Grant, Grants, Rerunner, TrustFacts


class Granted(Struct, frozen=True, kw_only=True):
    """What was allowed, and how it differs from what was allowed before for the same record."""

    grant: Grant
    changed: tuple[str, ...]


def facts_of(rerunner: Rerunner, gate: StoredGate) -> TrustFacts:
    """What leave to run this hangs on. Raises `Refused` (`unsafe-argv`) for words that could not be shown as they are."""
    facts = rerunner.facts(gate.request, gate.edits)
    for word in (*facts.argv, facts.cwd, *facts.env):
        if text.clean(word) != word:
            raise Refused("unsafe-argv", f"the gate of {gate.subject} holds invisible or control characters: {word!a}", "make the gate anew; nothing was run")
    return facts


def allow(rerunner: Rerunner, grants: Grants, gate: StoredGate) -> Granted:
    """Grant exactly this. Called only where the user asked for it by name."""
    facts = facts_of(rerunner, gate)
    changed = differences(grants.listed(), facts, gate.subject)
    return Granted(grant=grants.grant(facts, gate.subject), changed=changed)


def is_allowed(grants: Grants, facts: TrustFacts) -> bool:
    """Whether the user allowed exactly these facts."""
    return any(grant.facts == facts for grant in grants.listed())


def require(rerunner: Rerunner, grants: Grants, gate: StoredGate) -> TrustFacts:
    """R12: nothing stored is run before its user allowed it. Raises `Refused` (`needs-trust`) with the whole argv and what has changed."""
    facts = facts_of(rerunner, gate)
    if is_allowed(grants, facts):
        return facts
    changed = differences(grants.listed(), facts, gate.subject)
    why = f"changed since it was allowed: {'; '.join(changed)}" if changed else "you have not allowed it yet"
    edits = f" with the edits of {gate.subject} laid on the tree" if gate.edits else ""
    raise Refused("needs-trust", f"{gate.subject} would run {argv_text(facts.argv)} in {facts.cwd} of {facts.root}{edits}; {why}", f"allow it: `{gate.mend}`")


def forget(grants: Grants, subject: str) -> tuple[Grant, ...]:
    """Take back what was allowed for a record and its branches, when the record is forgotten: a grant holds words of it."""
    return tuple(grants.revoke(grant.key) for grant in grants.listed() if grant.subject.split(" ")[0] == subject)


def argv_text(argv: tuple[str, ...]) -> str:
    """The whole argv, word for word, as a JSON list; ASCII alone, so that a letter that looks like another cannot pass for it."""
    words = msgspec.json.encode(argv).decode()
    plain = "".join(letter if letter.isascii() else ascii(letter)[1:-1] for letter in words)
    return words if plain == words else f"{words} (that is {plain})"


def differences(grants: tuple[Grant, ...], facts: TrustFacts, subject: str) -> tuple[str, ...]:
    """What differs from the newest grant for the same subject, else for the same argv in another place; empty when there is none."""
    alike = [grant for grant in grants if (grant.facts.argv, grant.facts.applies) == (facts.argv, facts.applies)]
    same = [grant for grant in grants if grant.subject == subject] or alike
    if not same or same[-1].facts == facts:
        return ()
    then = same[-1].facts
    found = [f"{name} {_was(getattr(then, name))} -> {_was(getattr(facts, name))}" for name in ("repository", "root", "cwd") if _differ(then, facts, name)]
    found += [f"argv {argv_text(then.argv)} -> {argv_text(facts.argv)}"] if then.argv != facts.argv else []
    found += [f"variables {', '.join(then.env) or 'none'} -> {', '.join(facts.env) or 'none'}"] if then.env != facts.env else []
    old, new = dict(then.files), dict(facts.files)
    found += [f"{name} {_how(old.get(name), new.get(name))}" for name in sorted(old.keys() | new.keys()) if old.get(name) != new.get(name)]
    found += [f"program {', '.join(then.toolchain)} -> {', '.join(facts.toolchain)}"] if then.toolchain != facts.toolchain else []
    found += ["the edits or the tree that they are laid on"] if then.applies != facts.applies else []
    return tuple(found)


def _differ(then: TrustFacts, now: TrustFacts, name: str) -> bool:
    return bool(getattr(then, name) != getattr(now, name))


def _was(value: str) -> str:
    return text.clean(value) or "none"


def _how(old: str | None, new: str | None) -> str:
    return "is new" if old is None else "is gone" if new is None else "has changed"
