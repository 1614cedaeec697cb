edit current/Migrations/Shop/v1-v2.xml 's/remark/note/'
