"""The changes of the benchmark by sqlite-utils. Usage: with_sqlite_utils.py CHANGE STORE"""

import sys

import sqlite_utils


def add_attribute(db):
    db["ZORDER"].add_column("ZCOMMENT", str)


def add_required(db):
    db["ZORDER"].add_column("ZCURRENCY", str, not_null_default="EUR")


def rename_attribute(db):
    db["ZORDER"].transform(rename={"ZNOTE": "ZREMARK"})


def remove_attribute(db):
    db["ZORDER"].transform(drop=["ZNOTE"])


def change_type(db):
    db["ZORDER"].transform(types={"ZNUMBER": float})


def split_order(db):
    db["ZDELIVERY"].create(
        {"Z_PK": int, "Z_ENT": int, "Z_OPT": int, "ZORDER": int, "ZSHIPPINGDATE": float, "ZNOTE": str}, pk="Z_PK")
    with db.conn:
        db.execute("INSERT INTO ZDELIVERY SELECT Z_PK, 2, 1, Z_PK, ZSHIPPINGDATE, ZNOTE FROM ZORDER")
    db["ZDELIVERY"].create_index(["ZORDER"], "ZDELIVERY_ZORDER_INDEX")
    db["ZORDER"].add_column("ZROWCOUNT", int)
    db["ZORDER"].add_column("ZDELIVERY", int)
    db["ZORDER"].transform(drop=["ZSHIPPINGDATE", "ZNOTE"])
    with db.conn:
        db.execute("UPDATE ZORDER SET Z_ENT = 3, ZDELIVERY = Z_PK, ZROWCOUNT = "
                   "(SELECT COUNT(*) FROM ZROWOFORDER WHERE ZROWOFORDER.ZORDER = ZORDER.Z_PK)")
        db.execute("UPDATE ZROWOFORDER SET Z_ENT = 4")
        db.execute("UPDATE ZSERVICE SET Z_ENT = 5")
    db["ZORDER"].create_index(["ZDELIVERY"], "ZORDER_ZDELIVERY_INDEX")


def first_of_five(db):
    db["ZCUSTOMER"].add_column("ZPHONE", str)
    add_required(db)


def third_of_five(db):
    change_type(db)
    db["ZSERVICE"].transform(types={"ZMINUTES": float})


def fourth_of_five(db):
    db["ZPAYMENT"].create(
        {"Z_PK": int, "Z_ENT": int, "Z_OPT": int, "ZORDER": int, "ZDATE": float, "ZAMOUNT": float}, pk="Z_PK")
    db["ZPAYMENT"].create_index(["ZORDER"], "ZPAYMENT_ZORDER_INDEX")
    with db.conn:
        db.execute("UPDATE ZROWOFORDER SET ZQUANTITY = 1 WHERE ZQUANTITY IS NULL")
    db["ZROWOFORDER"].transform(not_null={"ZQUANTITY"})
    with db.conn:
        db.execute("UPDATE ZROWOFORDER SET Z_ENT = 4")
        db.execute("UPDATE ZSERVICE SET Z_ENT = 5")


CHANGES = {
    "AddAttribute": [add_attribute],
    "AddRequired": [add_required],
    "RenameAttribute": [rename_attribute],
    "RemoveAttribute": [remove_attribute],
    "ChangeType": [change_type],
    "SplitOrder": [split_order],
    "FiveVersions": [first_of_five, rename_attribute, third_of_five, fourth_of_five],
}


def main():
    change, store = sys.argv[1:]
    db = sqlite_utils.Database(store)
    for step in CHANGES[change]:
        step(db)
    db.close()


main()
