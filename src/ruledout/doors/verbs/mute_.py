"""`ruledout mute`: nothing more is said at the point of action of an item, by a rule, in this repository, or anywhere. Kept in the user's own state folder."""

from argparse import ArgumentParser, Namespace
from typing import cast

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out
from ruledout.errors import BadInput

RULES = ("edit", "command", "failure", "guard", "handoff")


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("record", metavar="RECORD", nargs="?", help="a record, or RECORD/BRANCH for one dead end of it")
    parser.add_argument("--rule", choices=RULES, help="one kind of notice")
    parser.add_argument("--here", action="store_true", help="this repository")
    parser.add_argument("--all", action="store_true", help="everything, everywhere")
    parser.add_argument("--off", action="store_true", help="take the mute back; alone: all of them")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: Namespace) -> int:
    """Mute, unmute, or with nothing asked tell what is muted."""
    import msgspec

    from ruledout.act import place

    path = str(wiring.state_dir() / "mute.json")
    held = cast("list[str]", msgspec.json.decode(place.read(path, 100_000) or b"[]"))
    asked = _asked(options)
    left = [one for one in held if one not in asked]
    held = (left if asked else []) if options.off else [*left, *asked]
    if asked or options.off:
        place.write(path, msgspec.json.encode(held))
    out(as_json({"muted": held}) if options.json else "\n".join(f"muted: {one}" for one in held) or "nothing is muted")
    return 0


def _asked(options: Namespace) -> list[str]:
    found = [f"rule:{options.rule}"] if options.rule else []
    found += ["all"] if options.all else []
    if options.here:
        found.append(f"repo:{wiring.require_repository(options.repo)}")
    if options.record:
        name, _, branch = options.record.partition("/")
        with wiring.store(options.repo) as store:
            digest = store.get(name).digest
        if not branch and "/" in options.record:
            raise BadInput("bad-options", f"{options.record} names no dead end", "name it as RECORD/BRANCH")
        found.append(f"item:{digest}/{branch}" if branch else f"item:{digest}")
    return found
