"""The changes of the benchmark as operations of Django's migrations. Usage: with_django.py CHANGE STORE"""

import sys

import django
from django.conf import settings

change, store = sys.argv[1:]
settings.configure(
    INSTALLED_APPS=[], USE_TZ=False, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": store}})
django.setup()

from django.db import connection, models  # noqa: E402
from django.db.migrations import operations  # noqa: E402
from django.db.migrations.state import ProjectState  # noqa: E402


def integer():
    return models.IntegerField(null=True)


def real():
    return models.FloatField(null=True)


def text():
    return models.TextField(null=True)


def table(name, fields, indexes=()):
    system = {"Z_PK": models.IntegerField(primary_key=True), "Z_ENT": integer(), "Z_OPT": integer()}
    return operations.CreateModel(
        name=name, fields=[*({key.lower(): field_in(key, field) for key, field in system.items()}).items(),
                           *({key.lower(): field_in(key, field) for key, field in fields.items()}).items()],
        options={"db_table": name.upper(), "indexes": list(indexes)})


def field_in(column, field):
    field.db_column = column
    return field


BEFORE = [
    table("ZCustomer", {
        "ZNUMBER": integer(), "ZREGISTRATIONDATE": real(), "ZEMAIL": text(), "ZNAME": text()}),
    table("ZOrder", {
        "ZISPAID": integer(), "ZNUMBER": integer(), "ZCUSTOMER": integer(), "ZDATE": real(),
        "ZSHIPPINGDATE": real(), "ZTOTAL": real(), "ZNOTE": text()}, [
        models.Index(fields=["zcustomer"], name="ZORDER_ZCUSTOMER_INDEX"),
        models.Index(fields=["-zdate"], name="Z_Order_byDate")]),
    table("ZRowOfOrder", {
        "ZPOSITION": integer(), "ZORDER": integer(), "ZSERVICE": integer(), "ZQUANTITY": real(), "ZSUM": real()}, [
        models.Index(fields=["zorder"], name="ZROWOFORDER_ZORDER_INDEX"),
        models.Index(fields=["zservice"], name="ZROWOFORDER_ZSERVICE_INDEX")]),
    table("ZService", {
        "ZISOFFERED": integer(), "ZMINUTES": integer(), "ZPRICE": real(), "ZCODE": text(), "ZTITLE": text()}),
]


def added(model, column, field, **options):
    return operations.AddField(model, column.lower(), field_in(column, field), **options)


def altered(model, column, field):
    return operations.AlterField(model, column.lower(), field_in(column, field))


ADD_REQUIRED = added("ZOrder", "ZCURRENCY", models.TextField(default="EUR"))
CHANGE_TYPE = altered("ZOrder", "ZNUMBER", real())

CHANGES = {
    "AddAttribute": [[added("ZOrder", "ZCOMMENT", text())]],
    "AddRequired": [[ADD_REQUIRED]],
    "RenameAttribute": [[operations.AlterField("ZOrder", "znote", field_in("ZREMARK", text()))]],
    "RemoveAttribute": [[operations.RemoveField("ZOrder", "znote")]],
    "ChangeType": [[CHANGE_TYPE]],
    "SplitOrder": [[
        table("ZDelivery", {"ZORDER": integer(), "ZSHIPPINGDATE": real(), "ZNOTE": text()}, [
            models.Index(fields=["zorder"], name="ZDELIVERY_ZORDER_INDEX")]),
        operations.RunSQL("INSERT INTO ZDELIVERY (Z_PK, Z_ENT, Z_OPT, ZORDER, ZSHIPPINGDATE, ZNOTE) "
                          "SELECT Z_PK, 2, 1, Z_PK, ZSHIPPINGDATE, ZNOTE FROM ZORDER"),
        added("ZOrder", "ZROWCOUNT", integer()),
        added("ZOrder", "ZDELIVERY", integer()),
        operations.RemoveField("ZOrder", "zshippingdate"),
        operations.RemoveField("ZOrder", "znote"),
        operations.RunSQL("UPDATE ZORDER SET Z_ENT = 3, ZDELIVERY = Z_PK, ZROWCOUNT = "
                          "(SELECT COUNT(*) FROM ZROWOFORDER WHERE ZROWOFORDER.ZORDER = ZORDER.Z_PK)"),
        operations.AddIndex("ZOrder", models.Index(fields=["zdelivery"], name="ZORDER_ZDELIVERY_INDEX")),
        operations.RunSQL("UPDATE ZROWOFORDER SET Z_ENT = 4"),
        operations.RunSQL("UPDATE ZSERVICE SET Z_ENT = 5"),
    ]],
    "FiveVersions": [
        [added("ZCustomer", "ZPHONE", text()), ADD_REQUIRED],
        [operations.AlterField("ZOrder", "znote", field_in("ZREMARK", text()))],
        [CHANGE_TYPE, altered("ZService", "ZMINUTES", real())],
        [
            table("ZPayment", {"ZORDER": integer(), "ZDATE": real(), "ZAMOUNT": real()}, [
                models.Index(fields=["zorder"], name="ZPAYMENT_ZORDER_INDEX")]),
            altered("ZRowOfOrder", "ZQUANTITY", models.FloatField(default=1)),
            operations.RunSQL("UPDATE ZROWOFORDER SET Z_ENT = 4"),
            operations.RunSQL("UPDATE ZSERVICE SET Z_ENT = 5"),
        ],
    ],
}


def main():
    state = ProjectState()
    for operation in BEFORE:
        operation.state_forwards("shop", state)
    for migration in CHANGES[change]:
        # One transaction a migration, as Django's executor does it.
        with connection.schema_editor(atomic=True) as editor:
            for operation in migration:
                before = state.clone()
                operation.state_forwards("shop", state)
                operation.database_forwards("shop", editor, before, state)
    connection.close()


main()
