edit current/Shop.xcdatamodel/contents 's/ parentEntity="Base"//'
