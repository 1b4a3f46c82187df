"""At which value does it break: one search, by the port. The user typed the command, so it needs no leave (R12)."""

from ruledout.rerun import BoundaryRequest, End, Rerunner, Search

EXITS = {End.FOUND: 0, End.FLAKY: 0, End.ALWAYS_HOLDS: 1, End.ALWAYS_FAILS: 1, End.NOT_MONOTONE: 1, End.CANNOT_RUN: 3}
"""a flaky zone is a finding"""


def find_boundary(rerunner: Rerunner, request: BoundaryRequest) -> Search:
    """Search. Raises `BadInput` for a parameter that cannot be read."""
    return rerunner.boundary(request)
