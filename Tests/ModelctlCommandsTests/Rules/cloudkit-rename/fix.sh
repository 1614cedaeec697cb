edit current/Notes.xcdatamodel/contents 's/name="Memo" elementID="Note"/name="Note"/'
