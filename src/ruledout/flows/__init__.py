"""The journeys, one module each. A flow asks ports and pure rooms; it opens no file and starts no process."""
