edit current/Stock.xcdatamodeld/v2.xcdatamodel/contents 's/Integer 64/String/'
