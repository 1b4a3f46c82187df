"""Builds a transcript call by call. Every text goes through one door here: redacted, cleaned, capped (R13); what is left out is counted (R14).

Readers know their format; this room knows none.
"""
