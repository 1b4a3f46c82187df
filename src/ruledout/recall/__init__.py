"""Finding the record that bears on an act or a question, and saying it briefly. Pure: the store is asked by the flows."""

RULES = 1
"""Version of the rules by which words and keys are made: a store whose search tables are of older rules makes them again."""
