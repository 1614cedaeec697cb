edit current/Shop.xcdatamodel/contents '/<index value="lines"/d'
