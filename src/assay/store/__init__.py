"""Keeps runs: SQLite in one file, or PostgreSQL, behind one interface.

Needs the extra `store`; PostgreSQL needs `postgres` too. SQL lives here and nowhere else.
"""

from assay.store.connect import DEFAULT_URL, Store, open_store

__all__ = ["DEFAULT_URL", "Store", "open_store"]
