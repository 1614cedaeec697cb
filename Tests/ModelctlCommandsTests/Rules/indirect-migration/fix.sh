edit current/Shop.xcdatamodeld/v3.xcdatamodel/contents '/name="number"/s|/>|><userInfo><entry key="modelctl.ignore" value="indirect-migration"/></userInfo></attribute>|'
