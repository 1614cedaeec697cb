edit current/Migrations/Shop/v1-v2.xml '/"Item"/s/ name="Orders"//'
