edit current/Migrations/Shop/v1-v2.xml '/name="items"/d'
