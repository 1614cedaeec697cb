rm current/Migrations/Shop/v2-v1.xml current/Migrations/Shop/v1-v3.xml
