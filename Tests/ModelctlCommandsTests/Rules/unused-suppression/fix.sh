edit current/Shop.xcdatamodeld/v2.xcdatamodel/contents '/<userInfo>/,/<.userInfo>/d'
