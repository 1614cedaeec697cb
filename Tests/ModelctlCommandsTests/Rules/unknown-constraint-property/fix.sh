edit current/Shop.xcdatamodel/contents 's/nummer/number/'
