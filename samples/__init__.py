"""Our own sample files: made by scripts, to the byte, from plain descriptions."""
