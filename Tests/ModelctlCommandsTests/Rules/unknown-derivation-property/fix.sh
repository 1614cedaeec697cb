edit current/Shop.xcdatamodel/contents 's/prize/price/'
