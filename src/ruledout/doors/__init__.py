"""Where the program is entered: the command line."""
