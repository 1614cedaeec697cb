edit current/schema.ckdb 's/STRIN /STRING /'
