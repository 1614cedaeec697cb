rm 'current/Migrations/Shop/v1-v2 again.xml'
