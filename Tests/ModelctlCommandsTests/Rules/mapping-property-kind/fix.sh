edit current/Migrations/Shop/v1-v2.xml 's|<attribute name="items" value="[^"]*"/>|<relationship name="items" empty="yes"/>|'
