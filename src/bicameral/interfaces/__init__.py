"""Ways in: each parses what it is given, calls `runtime`, and prints."""
