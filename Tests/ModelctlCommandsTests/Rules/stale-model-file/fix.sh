rm -r current/Shop.app/Resources
