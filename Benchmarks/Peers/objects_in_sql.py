"""The tasks of Benchmarks/objects by hand-written SQL. Usage: objects_in_sql.py TASK STORE"""

import sqlite3
import sys
import time

task, store = sys.argv[1:]
base = sqlite3.connect(store, isolation_level=None)


def in_transaction(work):
    base.execute("BEGIN IMMEDIATE")
    result = work()
    base.execute("COMMIT")
    return result


def fetch():
    return len(base.execute("SELECT * FROM ZORDER").fetchall())


def include():
    orders = base.execute("SELECT * FROM ZORDER ORDER BY Z_PK LIMIT 1000").fetchall()
    chosen = "SELECT Z_PK FROM ZORDER ORDER BY Z_PK LIMIT 1000"
    customers = base.execute(
        f"SELECT * FROM ZCUSTOMER WHERE Z_PK IN (SELECT ZCUSTOMER FROM ZORDER WHERE Z_PK IN ({chosen}))").fetchall()
    rows = base.execute(f"SELECT * FROM ZROWOFORDER WHERE ZORDER IN ({chosen})").fetchall()
    return len(customers) + len(rows) if orders else 0


def count():
    for _ in range(20):
        found = base.execute("SELECT COUNT(*) FROM ZORDER WHERE ZISPAID = 0 AND ZTOTAL > 50").fetchone()[0]
    return found


def total():
    return len(base.execute("SELECT ZCUSTOMER, SUM(ZTOTAL) FROM ZORDER GROUP BY ZCUSTOMER").fetchall())


def insert():
    base.executemany(
        "INSERT INTO ZCUSTOMER (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZREGISTRATIONDATE, ZEMAIL, ZNAME) VALUES (?, 1, 1, ?, ?, ?, ?)",
        ((n + 1, n, float(n), f"customer{n}@example.com", f"Customer {n}") for n in range(1000)))
    base.executemany(
        "INSERT INTO ZORDER (Z_PK, Z_ENT, Z_OPT, ZISPAID, ZNUMBER, ZCUSTOMER, ZDATE, ZTOTAL, ZNOTE) "
        "VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?)",
        ((n + 1, n % 2 == 0, n, n % 1000 + 1, float(n), n, f"order {n}") for n in range(99_000)))
    return 100_000


def update():
    return base.execute(
        "UPDATE ZORDER SET ZNOTE = 'changed', Z_OPT = Z_OPT + 1 "
        "WHERE Z_PK IN (SELECT Z_PK FROM ZORDER ORDER BY Z_PK LIMIT 10000)").rowcount


def delete():
    chosen = "SELECT Z_PK FROM ZORDER ORDER BY Z_PK LIMIT 10000"
    rows = base.execute(f"DELETE FROM ZROWOFORDER WHERE ZORDER IN ({chosen})").rowcount
    return rows + base.execute(f"DELETE FROM ZORDER WHERE Z_PK IN ({chosen})").rowcount


def get():
    return sum(base.execute("SELECT * FROM ZORDER WHERE Z_PK = ?", (key,)).fetchone() is not None for key in keys)


keys = [row[0] for row in base.execute("SELECT Z_PK FROM ZORDER ORDER BY Z_PK LIMIT 10000")] if task == "get" else []
tasks = {
    "fetch": fetch, "include": include, "count": count, "sum": total, "get": get,
    "insert": lambda: in_transaction(insert), "update": lambda: in_transaction(update),
    "delete": lambda: in_transaction(delete),
}
start = time.perf_counter()
check = tasks[task]()
print(time.perf_counter() - start, check)
