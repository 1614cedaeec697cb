cp previous/Shop.lock.json current/Shop.lock.json
cp previous/Shop.xcdatamodeld/v2.xcdatamodel/contents current/Shop.xcdatamodeld/v2.xcdatamodel/contents
