"""Django's dumpdata and loaddata over the tables of Benchmarks/documents. Usage: documents_in_django.py TASK STORE FILE"""

import sys
import types
from pathlib import Path

import django
from django.apps import AppConfig
from django.conf import settings

task, store, file = sys.argv[1:]


class BenchmarkConfig(AppConfig):
    name = "benchmark"
    path = str(Path(__file__).parent)


# Serializers find models of installed apps only, and this app is this file.
sys.modules["benchmark"] = types.ModuleType("benchmark")
sys.modules["benchmark"].BenchmarkConfig = BenchmarkConfig
settings.configure(
    INSTALLED_APPS=["benchmark.BenchmarkConfig"], USE_TZ=False, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": store}})
django.setup()

from django.core import serializers  # noqa: E402
from django.db import models, transaction  # noqa: E402


class Row(models.Model):
    id = models.BigAutoField(primary_key=True, db_column="Z_PK")
    entity = models.IntegerField(db_column="Z_ENT")
    version = models.IntegerField(db_column="Z_OPT")

    class Meta:
        abstract = True
        app_label = "benchmark"


class Customer(Row):
    number = models.IntegerField(null=True, db_column="ZNUMBER")
    registration_date = models.FloatField(null=True, db_column="ZREGISTRATIONDATE")
    email = models.TextField(null=True, db_column="ZEMAIL")
    name = models.TextField(null=True, db_column="ZNAME")

    class Meta(Row.Meta):
        db_table = "ZCUSTOMER"


class Order(Row):
    is_paid = models.BooleanField(null=True, db_column="ZISPAID")
    number = models.IntegerField(null=True, db_column="ZNUMBER")
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, db_column="ZCUSTOMER")
    date = models.FloatField(null=True, db_column="ZDATE")
    shipping_date = models.FloatField(null=True, db_column="ZSHIPPINGDATE")
    total = models.DecimalField(null=True, max_digits=20, decimal_places=4, db_column="ZTOTAL")
    note = models.TextField(null=True, db_column="ZNOTE")

    class Meta(Row.Meta):
        db_table = "ZORDER"


class Service(Row):
    is_offered = models.BooleanField(null=True, db_column="ZISOFFERED")
    minutes = models.IntegerField(null=True, db_column="ZMINUTES")
    price = models.DecimalField(null=True, max_digits=20, decimal_places=4, db_column="ZPRICE")
    code = models.TextField(null=True, db_column="ZCODE")
    title = models.TextField(null=True, db_column="ZTITLE")

    class Meta(Row.Meta):
        db_table = "ZSERVICE"


class RowOfOrder(Row):
    position = models.IntegerField(null=True, db_column="ZPOSITION")
    order = models.ForeignKey(Order, models.CASCADE, null=True, db_column="ZORDER")
    service = models.ForeignKey(Service, models.PROTECT, null=True, db_column="ZSERVICE")
    quantity = models.FloatField(null=True, db_column="ZQUANTITY")
    sum = models.DecimalField(null=True, max_digits=20, decimal_places=4, db_column="ZSUM")

    class Meta(Row.Meta):
        db_table = "ZROWOFORDER"


# What the commands do with models whose tables they have made.
if task == "dumpdata":
    def objects():
        for model in [Customer, Order, Service, RowOfOrder]:
            yield from model.objects.order_by("pk").iterator()

    with open(file, "w", encoding="utf-8") as stream:
        serializers.serialize("json", objects(), stream=stream)
else:
    with open(file, encoding="utf-8") as stream, transaction.atomic():
        for item in serializers.deserialize("json", stream):
            item.save()
