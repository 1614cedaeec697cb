edit current/Shop.xcdatamodeld/v2.xcdatamodel/contents '/name="items"/s|/>|><userInfo><entry key="modelctl.ignore" value="rows-may-block"/></userInfo></relationship>|'
