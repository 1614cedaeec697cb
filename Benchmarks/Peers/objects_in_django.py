"""The tasks of Benchmarks/objects with Django's ORM over the same tables. Usage: objects_in_django.py TASK STORE"""

import sys
import time
from decimal import Decimal

import django
from django.conf import settings

task, store = sys.argv[1:]
settings.configure(
    INSTALLED_APPS=[], USE_TZ=False, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": store}})
django.setup()

from django.db import models, transaction  # noqa: E402
from django.db.models import Sum  # noqa: E402


class Row(models.Model):
    id = models.BigAutoField(primary_key=True, db_column="Z_PK")
    version = models.IntegerField(default=1, db_column="Z_OPT")

    class Meta:
        abstract = True
        app_label = "benchmark"


class Customer(Row):
    entity = models.IntegerField(default=1, db_column="Z_ENT")
    number = models.IntegerField(null=True, db_column="ZNUMBER")
    registration_date = models.FloatField(null=True, db_column="ZREGISTRATIONDATE")
    email = models.TextField(null=True, db_column="ZEMAIL")
    name = models.TextField(null=True, db_column="ZNAME")

    class Meta(Row.Meta):
        db_table = "ZCUSTOMER"


class Order(Row):
    entity = models.IntegerField(default=2, db_column="Z_ENT")
    is_paid = models.BooleanField(null=True, db_column="ZISPAID")
    number = models.IntegerField(null=True, db_column="ZNUMBER")
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, db_column="ZCUSTOMER", related_name="orders")
    date = models.FloatField(null=True, db_column="ZDATE")
    shipping_date = models.FloatField(null=True, db_column="ZSHIPPINGDATE")
    total = models.DecimalField(null=True, max_digits=20, decimal_places=4, db_column="ZTOTAL")
    note = models.TextField(null=True, db_column="ZNOTE")

    class Meta(Row.Meta):
        db_table = "ZORDER"


class RowOfOrder(Row):
    entity = models.IntegerField(default=3, db_column="Z_ENT")
    position = models.IntegerField(null=True, db_column="ZPOSITION")
    order = models.ForeignKey(Order, models.CASCADE, null=True, db_column="ZORDER", related_name="rows")
    service = models.IntegerField(null=True, db_column="ZSERVICE")
    quantity = models.FloatField(null=True, db_column="ZQUANTITY")
    sum = models.DecimalField(null=True, max_digits=20, decimal_places=4, db_column="ZSUM")

    class Meta(Row.Meta):
        db_table = "ZROWOFORDER"


def first():
    return Order.objects.order_by("id")[:10_000]


def include():
    orders = list(Order.objects.order_by("id").select_related("customer").prefetch_related("rows")[:1000])
    return len({order.customer_id for order in orders} - {None}) + sum(len(order.rows.all()) for order in orders)


def count():
    for _ in range(20):
        found = Order.objects.filter(is_paid=False, total__gt=50).count()
    return found


@transaction.atomic
def insert():
    customers = Customer.objects.bulk_create(
        Customer(number=n, registration_date=float(n), email=f"customer{n}@example.com", name=f"Customer {n}")
        for n in range(1000))
    Order.objects.bulk_create(
        Order(is_paid=n % 2 == 0, number=n, customer=customers[n % 1000], date=float(n), total=Decimal(n),
              note=f"order {n}") for n in range(99_000))
    return 100_000


@transaction.atomic
def update():
    orders = list(first())
    for order in orders:
        order.note = "changed"
        order.version += 1
        order.save(update_fields=["note", "version"])
    return len(orders)


@transaction.atomic
def delete():
    # Django knows the cascades of installed apps only.
    orders = [order.id for order in first()]
    rows = RowOfOrder.objects.filter(order__in=orders).delete()[0]
    return rows + Order.objects.filter(id__in=orders).delete()[0]


def get():
    return sum(Order.objects.get(id=key) is not None for key in keys)


keys = [order.id for order in first()] if task == "get" else []
tasks = {
    "fetch": lambda: len(list(Order.objects.all())), "include": include, "count": count,
    "sum": lambda: len(list(Order.objects.values("customer").annotate(sum=Sum("total")).order_by())),
    "insert": insert, "update": update, "delete": delete, "get": get,
}
start = time.perf_counter()
check = tasks[task]()
print(time.perf_counter() - start, check)
