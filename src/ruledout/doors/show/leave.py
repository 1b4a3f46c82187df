"""Leave to run, as text: exactly what was allowed, nothing of it cut."""

from collections.abc import Sequence

from ruledout.flows.trust import Granted, argv_text
from ruledout.rerun import Grant, TrustFacts
from ruledout.text import clean


def granted_text(granted: Granted) -> str:
    """What may run from now on, and what differs from the last leave."""
    parts = [f"allowed for {granted.grant.subject}, until any of it changes:", *_facts(granted.grant.facts)]
    parts += [f"  changed: {clean(one)}" for one in granted.changed]
    return "\n".join([*parts, f"take it back: `ruledout trust --revoke {granted.grant.key[:12]}`"])


def grants_text(grants: Sequence[Grant]) -> str:
    """All leaves, oldest first."""
    if not grants:
        return "you have allowed nothing; what is stored is not run"
    return "\n".join(row for grant in grants for row in (f"{grant.key[:12]}  {grant.at}  {grant.subject}", *_facts(grant.facts)))


def _facts(facts: TrustFacts) -> list[str]:
    parts = [f"  run      {argv_text(facts.argv)}", f"  in       {clean(facts.cwd)} of {clean(facts.root)}", f"  of       {clean(facts.repository)}"]
    parts += [f"  variable {clean(name)}" for name in facts.env]
    parts += [f"  program  {clean(program)}" for program in facts.toolchain]
    parts += [f"  reaches  {clean(name)}  {digest[:19]}" for name, digest in facts.files]
    return parts + (["  with the branch's edits on the tree that they are replayed on"] if facts.applies else [])
