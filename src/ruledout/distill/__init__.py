"""From a transcript to a residual or a handoff: segment, survive, ledger, policy, conclude. Pure."""
