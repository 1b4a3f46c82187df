"""`ruledout mcp`: the server for agents, on standard input and output, in both eras of the Model Context Protocol. Runs no gate."""

from argparse import ArgumentParser, Namespace


def arguments(parser: ArgumentParser) -> None:
    """The verb's own arguments."""
    parser.add_argument("--repo", metavar="DIR", help="the repository (default: the client's first root that is one, else this one)")


def run(options: Namespace) -> int:
    """Serve until standard input ends: exit 0."""
    from ruledout.doors.mcp_server.server import serve

    return serve(options.repo)
