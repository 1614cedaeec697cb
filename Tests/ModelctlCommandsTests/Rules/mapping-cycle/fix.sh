edit current/Migrations/Shop/v1-v2.xml -e 's/source="Order" destination="Item"/source="Order" destination="Order"/' -e 's/source="Item" destination="Order"/source="Item" destination="Item"/'
