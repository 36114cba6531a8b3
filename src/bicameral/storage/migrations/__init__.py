"""Alembic's migrations: how the schema came to be, version by version. A shipped one is never edited."""
