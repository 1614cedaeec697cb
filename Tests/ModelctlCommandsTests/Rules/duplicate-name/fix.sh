edit current/Shop.xcdatamodel/contents -e '5d' -e '8s/Order/Purchase/'
