edit current/Migrations/Shop/v1-v2.xml '/Thing/d'
