edit current/Shop.xcdatamodel/contents 's/Ordre/Order/'
