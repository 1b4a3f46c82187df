"""Small real worlds for tests, shipped with the package: an in-memory store, a clock that stands still, a contract that every store passes."""
