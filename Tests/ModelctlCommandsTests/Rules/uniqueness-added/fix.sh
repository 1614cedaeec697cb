edit current/Shop.xcdatamodeld/v2.xcdatamodel/contents '1,/<.entity>/s|</entity>|<userInfo><entry key="modelctl.ignore" value="uniqueness-added"/></userInfo></entity>|'
