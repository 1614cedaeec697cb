edit current/Notes.xcdatamodel/contents 's/name="title"/name="number"/'
modelctl cloudkit schema current/Notes.xcdatamodel --merge current/schema.ckdb --output current/schema.ckdb
