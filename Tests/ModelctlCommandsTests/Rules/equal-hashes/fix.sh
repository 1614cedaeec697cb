rm -r current/Shop.xcdatamodeld/v3.xcdatamodel
edit current/Shop.xcdatamodeld/.xccurrentversion 's/v3/v2/'
