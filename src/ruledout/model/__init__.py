"""The values of the program, frozen, one room a stage. They hold facts; they have no verbs that need a higher floor."""
