"""The makers of the generated parts of the docs: each reads one thing (the program, its errors, its rules) and gives Markdown."""
