"""The changes of the benchmark as Alembic batch operations. Usage: with_alembic.py CHANGE STORE"""

import sys

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations


def add_attribute(op):
    with op.batch_alter_table("ZORDER") as table:
        table.add_column(sa.Column("ZCOMMENT", sa.String))


def add_required(op):
    with op.batch_alter_table("ZORDER") as table:
        table.add_column(sa.Column("ZCURRENCY", sa.String, nullable=False, server_default="EUR"))


def rename_attribute(op):
    with op.batch_alter_table("ZORDER") as table:
        table.alter_column("ZNOTE", new_column_name="ZREMARK")


def remove_attribute(op):
    with op.batch_alter_table("ZORDER") as table:
        table.drop_column("ZNOTE")


def change_type(op):
    with op.batch_alter_table("ZORDER") as table:
        table.alter_column("ZNUMBER", type_=sa.Float)


def split_order(op):
    op.create_table(
        "ZDELIVERY", sa.Column("Z_PK", sa.Integer, primary_key=True), sa.Column("Z_ENT", sa.Integer),
        sa.Column("Z_OPT", sa.Integer), sa.Column("ZORDER", sa.Integer), sa.Column("ZSHIPPINGDATE", sa.TIMESTAMP),
        sa.Column("ZNOTE", sa.String))
    op.execute("INSERT INTO ZDELIVERY SELECT Z_PK, 2, 1, Z_PK, ZSHIPPINGDATE, ZNOTE FROM ZORDER")
    op.create_index("ZDELIVERY_ZORDER_INDEX", "ZDELIVERY", ["ZORDER"])
    with op.batch_alter_table("ZORDER") as table:
        table.add_column(sa.Column("ZROWCOUNT", sa.Integer))
        table.add_column(sa.Column("ZDELIVERY", sa.Integer))
        table.drop_column("ZSHIPPINGDATE")
        table.drop_column("ZNOTE")
    op.execute("UPDATE ZORDER SET Z_ENT = 3, ZDELIVERY = Z_PK, ZROWCOUNT = "
               "(SELECT COUNT(*) FROM ZROWOFORDER WHERE ZROWOFORDER.ZORDER = ZORDER.Z_PK)")
    op.create_index("ZORDER_ZDELIVERY_INDEX", "ZORDER", ["ZDELIVERY"])
    op.execute("UPDATE ZROWOFORDER SET Z_ENT = 4")
    op.execute("UPDATE ZSERVICE SET Z_ENT = 5")


def first_of_five(op):
    with op.batch_alter_table("ZCUSTOMER") as table:
        table.add_column(sa.Column("ZPHONE", sa.String))
    add_required(op)


def third_of_five(op):
    change_type(op)
    with op.batch_alter_table("ZSERVICE") as table:
        table.alter_column("ZMINUTES", type_=sa.Float)


def fourth_of_five(op):
    op.create_table(
        "ZPAYMENT", sa.Column("Z_PK", sa.Integer, primary_key=True), sa.Column("Z_ENT", sa.Integer),
        sa.Column("Z_OPT", sa.Integer), sa.Column("ZORDER", sa.Integer), sa.Column("ZDATE", sa.TIMESTAMP),
        sa.Column("ZAMOUNT", sa.Numeric))
    op.create_index("ZPAYMENT_ZORDER_INDEX", "ZPAYMENT", ["ZORDER"])
    op.execute("UPDATE ZROWOFORDER SET ZQUANTITY = 1 WHERE ZQUANTITY IS NULL")
    with op.batch_alter_table("ZROWOFORDER") as table:
        table.alter_column("ZQUANTITY", nullable=False)
    op.execute("UPDATE ZROWOFORDER SET Z_ENT = 4")
    op.execute("UPDATE ZSERVICE SET Z_ENT = 5")


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
    engine = sa.create_engine(f"sqlite:///{store}")
    for step in CHANGES[change]:
        # One transaction a migration, as Alembic's own env.py does it.
        with engine.begin() as connection:
            step(Operations(MigrationContext.configure(connection)))


main()
