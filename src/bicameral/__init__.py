"""Two judges, one account of what is wrong, and everything they said on record."""

__version__ = "0.1.0"
