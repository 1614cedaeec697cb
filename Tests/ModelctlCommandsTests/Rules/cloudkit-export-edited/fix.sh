modelctl cloudkit schema current/Notes.xcdatamodel --output new.ckdb && mv new.ckdb current/schema.ckdb
