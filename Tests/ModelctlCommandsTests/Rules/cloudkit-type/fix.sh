edit current/Notes.xcdatamodel/contents 's/Undefined/String/'
