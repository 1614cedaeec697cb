edit current/Notes.xcdatamodel/contents 's/größe/size/'
