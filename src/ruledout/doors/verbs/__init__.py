"""One module a verb: its arguments, one flow, what to show. The names end in `_` so that none hides a builtin."""
