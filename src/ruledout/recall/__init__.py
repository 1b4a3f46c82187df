"""Finding the record that bears on an act or a question, and saying it briefly. Pure: the store is asked by the flows."""
