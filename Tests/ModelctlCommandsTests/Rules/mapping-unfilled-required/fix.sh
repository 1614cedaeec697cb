edit current/Migrations/Shop/v1-v2.xml 's|omitted="yes"|value="'"'none'"'"|'
