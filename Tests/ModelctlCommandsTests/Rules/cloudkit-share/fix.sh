modelctl cloudkit schema current/Notes.xcdatamodel --merge current/schema.ckdb --output current/schema.ckdb
