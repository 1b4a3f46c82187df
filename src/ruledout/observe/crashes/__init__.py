"""Crash reports, one family a module: sanitizers, kernels, run times. Each gives a `Reading` or None; `observe.tools.crash` asks them in turn."""
