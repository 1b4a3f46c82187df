"""Every error that the program raises on purpose, each with a slug and the mend. Doors turn them into exit codes; nothing here exits or prints.

RuledoutError
|- BadInput        asked wrongly: the input names no session, breaks the contract, is of a later schema   exit 2
|- Refused         the answer is no                                                                       exit 1
|   `- FalsificationLineageTruncationViolation
|- CannotRun       neither yes nor no: a tool is missing, a store is damaged or locked                    exit 3
"""


class RuledoutError(Exception):
    """Something that the user can act on.

    `slug` is stable, in kebab case; `message` says what was seen and where (file, line or JSON path); `mend` says what to do, as an imperative.
    """

    def __init__(self, slug: str, message: str, mend: str) -> None:
        """Keep the three parts; `str()` joins them for people."""
        super().__init__(f"{message}; {mend}" if mend else message)
        self.slug = slug
        self.message = message
        self.mend = mend


class BadInput(RuledoutError):
    """The input or the command line is at fault."""


class Refused(RuledoutError):
    """The answer is no, and asking again in the same way will not change it."""


class FalsificationLineageTruncationViolation(Refused):
    """A ledger that lost a refuted step, its counterexample or failure class, or a guard that lost its reason (R5, R6)."""


class CannotRun(RuledoutError):
    """It could not be found out: neither yes nor no (R14)."""
