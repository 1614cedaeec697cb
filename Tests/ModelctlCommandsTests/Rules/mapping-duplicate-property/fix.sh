edit current/Migrations/Shop/v1-v2.xml '/nowhere/d'
