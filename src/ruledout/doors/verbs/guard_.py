"""`ruledout guard`: does a change take a proved guard out. Reads git and the records; runs a gate only with `--run` and its user's leave."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from ruledout import wiring
from ruledout.doors.show.plain import as_json, out
from ruledout.errors import BadInput

if TYPE_CHECKING:
    from ruledout.changes import Changes, Versions
    from ruledout.flows.protect_guards import Guarded
    from ruledout.ports import Store


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--staged", action="store_true", help="what is staged for the next commit")
    which.add_argument("--range", metavar="A..B", help="the commits from A to B (A...B: from where they parted)")
    which.add_argument("--diff", metavar="FILE", help="a unified diff against the work tree, made or about to be made (-: standard input)")
    parser.add_argument("--allow", metavar="ID", help="let this guard go from now on, and keep that with its reason")
    parser.add_argument("--because", metavar="TEXT", default="", help="the reason for --allow")
    parser.add_argument("--run", action="store_true", help="run the gates of guards that are lost on the work tree, as far as you have allowed them")
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: this one)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object, as docs/cli.md gives it")
    form.add_argument("--sarif", action="store_true", help="SARIF 2.1.0, for code review")
    form.add_argument("--junit", action="store_true", help="JUnit XML, for test reports")
    parser.add_argument("files", nargs="*", metavar="FILE", help="taken and not looked at: pre-commit names the files of a commit")


def run(options: Namespace) -> int:
    """Look at one change: exit 0 clear, 1 a proved guard is lost. Without an option: the uncommitted work."""
    from ruledout.doors.show.guards import guarded_text, junit, sarif
    from ruledout.flows.known_guards import guards
    from ruledout.flows.protect_guards import allow, protect

    if options.because and not options.allow:
        raise BadInput("no-guard-named", "--because belongs to --allow", "name the guard: --allow ID --because TEXT")
    overrides = wiring.overrides(options.repo)
    with wiring.changes(options.repo) as changes, wiring.store(options.repo) as store:
        change = _versions(options, changes)
        if options.allow:
            allow(guards(store, change.published).guards, overrides, options.allow, options.because, wiring.clock().now())
        answer = protect(store, changes, change, overrides.listed())
        if options.run and answer.findings:
            answer = _run(options, answer, store, change, changes)
    if options.sarif:
        out(as_json(sarif(answer)))
    elif options.junit:
        out(junit(answer))
    else:
        out(as_json(answer) if options.json else guarded_text(answer))
    return 1 if answer.findings else 0


def _run(options: Namespace, answer: "Guarded", store: "Store", change: "Versions", changes: "Changes") -> "Guarded":
    """What the gates of the lost guards say of the work tree."""
    import time

    from ruledout.doors.show.depth import teller
    from ruledout.flows.protect_guards import require_work_tree, rerun
    from ruledout.flows.recheck import Watch

    require_work_tree(change, changes.files())
    return rerun(answer, store, (wiring.rerunner(), wiring.grants(), str(wiring.require_repository(options.repo))), Watch(time.monotonic, teller()))


def _versions(options: Namespace, changes: "Changes") -> "Versions":
    if options.staged:
        return changes.staged()
    if options.range is not None:
        older, dots, newer = options.range.partition("...") if "..." in options.range else options.range.partition("..")
        if not dots:
            raise BadInput("bad-range", f"{options.range!r} is no range of commits", "give A..B, or A...B for what B has changed since they parted")
        return changes.between(older or "HEAD", newer or "HEAD", forked=dots == "...")
    if options.diff is not None:
        from ruledout.changes import Versions
        from ruledout.flows.known_guards import published_in
        from ruledout.recall.applied import versions

        before, after = versions(wiring.text_of(options.diff).decode("utf-8", "replace"), changes.files())
        published = published_in(changes.files())
        return Versions(title=options.diff, before=before, after=after, published=published)
    return changes.uncommitted()
