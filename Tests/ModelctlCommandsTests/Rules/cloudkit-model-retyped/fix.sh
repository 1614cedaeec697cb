old='<attribute name="rating" optional="YES" attributeType="Integer 16"/>'
edit current/Notes.xcdatamodeld/v2.xcdatamodel/contents "s|<attribute name=\"rating\".*|$old<attribute name=\"score\" optional=\"YES\" attributeType=\"Double\"/>|"
