"""Session files to transcripts: one module a format, none knowing another. Bytes in, values out; no file is opened here."""
