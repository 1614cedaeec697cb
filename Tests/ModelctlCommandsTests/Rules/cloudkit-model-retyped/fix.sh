edit current/Notes.xcdatamodeld/v2.xcdatamodel/contents 's/name="rating"/name="score"/'
