"""A clock that stands still until it is moved."""


class StillClock:
    """Implements `ports.Clock`: always the same time, RFC 3339 in UTC with seconds."""

    def __init__(self, time: str = "2026-01-02T03:04:05Z") -> None:
        """Stand at this time."""
        self.time = time

    def now(self) -> str:
        """The time it stands at."""
        return self.time
