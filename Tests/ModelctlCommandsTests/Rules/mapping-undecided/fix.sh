edit current/Migrations/Shop/v1-v2.xml -e 's|value="1"|value="$source.number"|' \
  -e 's|</entityMapping>|<attribute name="note" value="CAST($source.note, '"'NSNumber'"')"/></entityMapping>|'
