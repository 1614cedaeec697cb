cp previous/schema.ckdb current/schema.ckdb
