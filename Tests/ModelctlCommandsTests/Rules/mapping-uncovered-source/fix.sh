edit current/Migrations/Shop/v1-v2.xml 's|</mappingModel>|<entityMapping source="Item" destination="Item"/></mappingModel>|'
