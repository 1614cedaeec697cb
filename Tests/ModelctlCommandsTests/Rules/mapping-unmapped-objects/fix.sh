edit current/Migrations/Shop/v1-v2.xml -e '/name="items"/d' -e '/source="Item"/d'
