"""The changes of the benchmark row by row, as an app does it that reads and writes objects. Usage: row_loop.py CHANGE STORE"""

import re
import sqlite3
import sys
from pathlib import Path


def statements(change):
    """The statements of the SQL written by hand."""
    text = (Path(__file__).resolve().parent.parent / "SQL" / f"{change}.sql").read_text()
    text = re.sub(r"--.*", "", text)
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def run(connection, statement):
    """Executes a statement; an INSERT … SELECT one row at a time."""
    match = re.fullmatch(r"INSERT INTO (\w+)\s+(SELECT .* FROM (?:ZORDER|ZSERVICE))", statement, re.DOTALL)
    if not match:
        connection.execute(statement)
        return
    table, query = match.groups()
    insertion = None
    for row in connection.execute(query):
        insertion = insertion or f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})"
        connection.execute(insertion, row)


def main():
    change, store = sys.argv[1:]
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    if change in ("AddAttribute", "RenameAttribute"):
        # Without the short cut of ALTER TABLE, which moves no row.
        column = {"AddAttribute": ("ZCOMMENT VARCHAR", "ZNOTE, NULL"), "RenameAttribute": (None, "ZNOTE")}[change]
        note = "ZREMARK" if change == "RenameAttribute" else "ZNOTE"
        connection.execute(
            "CREATE TABLE ZNEWORDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISPAID INTEGER, "
            "ZNUMBER INTEGER, ZCUSTOMER INTEGER, ZDATE TIMESTAMP, ZSHIPPINGDATE TIMESTAMP, ZTOTAL DECIMAL, "
            f"{note} VARCHAR{', ' + column[0] if column[0] else ''})")
        run(connection, "INSERT INTO ZNEWORDER SELECT Z_PK, Z_ENT, Z_OPT, ZISPAID, ZNUMBER, ZCUSTOMER, ZDATE, "
                        f"ZSHIPPINGDATE, ZTOTAL, {column[1]} FROM ZORDER")
        for statement in statements("RemoveAttribute")[2:]:
            run(connection, statement)
    else:
        for statement in statements(change):
            run(connection, statement)
    connection.execute("COMMIT")
    connection.close()


main()
