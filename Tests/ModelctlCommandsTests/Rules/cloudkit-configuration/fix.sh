edit current/Notes.xcdatamodel/contents 's|<memberEntity name="Note"/>|<memberEntity name="Note"/><memberEntity name="Folder"/>|'
