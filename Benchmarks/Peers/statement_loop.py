"""Runs the statements of a plan over many stores, one transaction a store: `statement_loop.py PLAN.json FOLDER`."""

import json
import sqlite3
import sys
import unicodedata
from pathlib import Path


def canonical(text):
    """A text without case and accents, as `canonical:` of an expression gives it."""
    if text is None:
        return None
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))


def migrate(path, statements):
    """Runs all statements in one transaction, and folds the log in."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.create_function("modelctl_canonical", 1, canonical, deterministic=True)
    # Named where a count does not fit its attribute, which none of these does.
    connection.create_function("modelctl_integer", 6, lambda number, *_: number, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")
    for statement in statements:
        connection.execute(statement)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def main():
    plan, folder = sys.argv[1:]
    statements = [step["statement"] for step in json.loads(Path(plan).read_text())["steps"]]
    for path in sorted(Path(folder).glob("*.sqlite")):
        migrate(path, statements)


main()
