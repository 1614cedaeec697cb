edit current/Shop.xcdatamodel/contents -e 's/Custommer/Customer/' -e 's/ inverseName="orders" inverseEntity="Customer"//'
