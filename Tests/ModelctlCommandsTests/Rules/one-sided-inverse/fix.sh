edit current/Shop.xcdatamodel/contents 's/inverseName="order"/inverseName="customer"/'
