import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import StoreMigration
import Testing

@Suite("Expressions as SQL")
struct ExpressionCompilerTests {
  @Test(
    "a plain value needs no function",
    arguments: [
      ("$source.name", AttributeType.string, "\"row\".\"ZNAME\""),
      ("$source.address.street", .string, "\"row\".\"ZSTREET\""),
      ("$source.score", .integer64, "\"row\".\"ZSCORE\""),
      ("$source.isVip", .integer16, "\"row\".\"ZISVIP\""),
      ("$source.score * 2 + 1", .integer32, "((\"row\".\"ZSCORE\" * 2) + 1)"),
      ("$source.score / 2", .integer16, "(\"row\".\"ZSCORE\" / 2)"),
      ("$source.score", .boolean, "(\"row\".\"ZSCORE\" <> 0)"),
      ("$source.rate * 1.5", .double, "(\"row\".\"ZRATE\" * 1.5)"),
      ("$source.score", .double, "CAST(\"row\".\"ZSCORE\" AS REAL)"),
      ("nil", .date, "NULL"),
      ("now()", .date, "99.5"),
      ("YES", .boolean, "1"),
    ])
  func plain(text: String, type: AttributeType, sql: String) throws {
    #expect(try ExpressionStore().sql(text, as: type, of: "Customer") == sql)
  }

  @Test("a constant is bound, never written into the SQL")
  func bound() throws {
    let sql = try ExpressionStore().compiler("Customer").value(
      .constant(.string("x'; DROP TABLE ZCUSTOMER; --")), for: .optional("value"))
    #expect(sql.text == "?")
    #expect(sql.arguments == [.text("x'; DROP TABLE ZCUSTOMER; --")])
  }

  @Test("a way over one object is a look-up by primary key")
  func part() throws {
    #expect(
      try ExpressionStore().sql("$source.order.customer.name", as: .string, of: "Item")
        == """
        (SELECT (SELECT "row_2"."ZNAME" FROM "ZCUSTOMER" AS "row_2" WHERE "row_2"."Z_PK" = "row_1"."ZCUSTOMER") \
        FROM "ZORDER" AS "row_1" WHERE "row_1"."Z_PK" = "row"."ZORDER")
        """)
  }

  @Test("a collection operator is an aggregate of the rows at the other end")
  func aggregate() throws {
    #expect(
      try ExpressionStore().sql("$source.items.@sum.price", as: .double, of: "Order")
        == """
        (SELECT TOTAL("row_1"."ZPRICE") FROM "ZITEM" AS "row_1" WHERE "row_1"."ZORDER" = "row"."Z_PK")
        """)
  }

  @Test("tables are named as they are at the time")
  func moved() throws {
    let compiler = try ExpressionStore().compiler("Order") { "old_\($0)" }
    let sql = try compiler.value(ValueExpression(parsing: "$source.customer.name"), for: .optional("value"))
    #expect(
      sql.text
        == "(SELECT \"row_1\".\"ZNAME\" FROM \"old_ZCUSTOMER\" AS \"row_1\" WHERE \"row_1\".\"Z_PK\" = \"row\".\"ZCUSTOMER\")"
    )
  }

  @Test(
    "the values of every row",
    arguments: [
      ("$source.name", AttributeType.string, "Émile zoe -"),
      ("$source.name + '!'", .string, "Émile! zoe! -"),
      ("uppercase:($source.name)", .string, "ÉMILE ZOE -"),
      ("canonical:($source.name)", .string, "emile zoe -"),
      ("length:($source.name + '😀')", .integer16, "7 5 -"),
      ("$source.name.length", .integer16, "5 3 -"),
      ("$source.score / 2", .integer16, "3 -3 -"),
      ("$source.score / 2.0", .double, "3.5 -3.5 -"),
      ("$source.balance / 2", .double, "3.5 1.125 -"),
      ("modulus:by:($source.score, 4)", .integer16, "3 -3 -"),
      ("$source.rate", .integer16, "0 2 -"),
      ("trunc:($source.rate * -1.5)", .double, "-0.0 -3.0 -"),
      ("abs:($source.score)", .integer16, "7 7 -"),
      ("$source.score ** 2", .integer32, "49 49 -"),
      ("$source.isVip", .boolean, "1 0 -"),
      ("$source.points", .boolean, "1 1 -"),
      ("$source.since", .date, "86400.5 0 -"),
      ("CAST($source.since, 'NSNumber') + 1", .double, "86401.5 1.0 -"),
      ("CAST(CAST($source.since, 'NSNumber') + 1, 'NSDate')", .date, "86401.5 1.0 -"),
      ("CAST($source.since, 'NSString')", .string, "2001-01-02T00:00:00.500Z 2001-01-01T00:00:00.000Z -"),
      ("CAST($source.token, 'NSString')", .string, "00010203-0405-0607-0809-0A0B0C0D0E0F - -"),
      ("CAST($source.score, 'NSString')", .string, "7 -7 -"),
      ("CAST($source.rate, 'NSString') + '%'", .string, "0.5% 2.5% -"),
      ("CAST($source.balance, 'NSString')", .string, "7 2.25 -"),
      ("$source.photo", .binary, "xaabb - -"),
      ("$source.photo.length", .integer16, "2 - -"),
      ("TERNARY($source.score > 0, 'up', $source.name)", .string, "up zoe -"),
      ("TERNARY($source.score == nil, 0, $source.score)", .integer16, "7 -7 0"),
      ("$source.orders.@count", .integer16, "2 0 0"),
      ("$source.orders.@sum.number", .integer64, "30 0 0"),
      ("$source.orders.@avg.number", .double, "15.0 0.0 0.0"),
      ("$source.orders.@max.note", .string, "first - -"),
      ("$source.orders.@sum.items.@count", .integer16, "3 0 0"),
      ("$source.orders.@distinctUnionOfSets.items.@count", .integer16, "3 0 0"),
      ("$source.favourites.@distinctUnionOfObjects.title.@count", .integer16, "2 1 0"),
      ("$source.favourites.@unionOfObjects.title.@count", .integer16, "3 1 0"),
      ("$source.favourites.@distinctUnionOfObjects.order.@count", .integer16, "2 1 0"),
      ("$source.favourites.@max.title", .string, "pen pen -"),
      ("sum:($source.favourites.price)", .double, "4.0 0.0 0.0"),
      ("$source.friends.@count", .integer16, "1 1 0"),
      ("max:({$source.score, 3, nil})", .integer16, "7 3 3"),
      ("CAST('2001-01-01T00:00:01Z', 'NSDate')", .date, "1.0 1.0 1.0"),
    ])
  func values(text: String, type: AttributeType, expected: String) throws {
    #expect(try ExpressionStore().values(text, as: type) == expected)
  }

  @Test(
    "values of binary data carry the mark of external storage where the column needs one",
    arguments: [
      ("$source.photo", true, "x01aabb - -"), ("$source.photo", false, "xaabb - -"),
      ("$source.thumb", true, "x01cc - -"), ("$source.thumb", false, "xcc - -"),
      ("TERNARY($source.score > 0, $source.photo, $source.thumb)", true, "x01aabb - -"),
    ])
  func external(text: String, isExternal: Bool, expected: String) throws {
    let store = try ExpressionStore()
    var attribute = AttributeDescription.optional("value", .binary)
    attribute.allowsExternalBinaryDataStorage = isExternal
    let sql = try store.compiler("Customer").value(ValueExpression(parsing: text), for: attribute)
    #expect(try store.column(sql, of: "Customer") == expected)
  }

  @Test(
    "links to source objects",
    arguments: [
      ("$source", "Order", "1>1(4) 2>2(4) 3>3(4)"),
      ("$source.customer", "Order", "1>1(1) 2>1(1)"),
      ("$source.items", "Order", "1>2(2)@1000 1>1(2)@2000 2>3(3)@1000"),
      ("$source.orders", "Customer", "1>1(4) 1>2(4)"),
      ("$source.orders.items", "Customer", "1>1(2) 1>2(2) 1>3(3)"),
      ("$source.orders.@distinctUnionOfSets.items", "Customer", "1>1(2) 1>2(2) 1>3(3)"),
      ("$source.favourites", "Customer", "1>2(2)@10 1>3(3)@20 1>1(2)@30 2>3(3)@5"),
      ("$source.favourites.order", "Customer", "1>1(4)@10 1>2(4)@20 2>2(4)@5"),
      ("$source.friends", "Customer", "1>2(1) 2>1(1)"),
      ("$source.friends.orders", "Customer", "2>1(4) 2>2(4)"),
      ("$source.fans", "Item", "1>1(1) 2>1(1)"),
      ("$source.fans", "Gift", "3>1(1) 3>2(1)"),
      ("$source.order.customer", "Item", "1>1(1) 2>1(1)"),
      ("TERNARY($source.note == nil, $source.customer, nil)", "Order", "2>1(1)"),
      ("nil", "Order", ""),
    ])
  func links(text: String, entity: String, expected: String) throws {
    #expect(try ExpressionStore().links(text, of: entity) == expected)
  }

  @Test("a policy's function is SQL in its place, or a call")
  func policies() throws {
    let store = try ExpressionStore()
    let text = "FUNCTION($entityPolicy, 'mix:with:', $source.score + 1, $source.name)"
    let replacement = PolicyReplacement(functions: ["mix:with:": "printf('%s:%d', $2, $1) || $source.score"])
    let written = store.compiler("Customer", policy: ExpressionPolicy(className: "P", replacement: replacement))
    let expression = try ValueExpression(parsing: text)
    #expect(
      try store.column(written.value(expression, for: .optional("value")), of: "Customer") == "Émile:87 zoe:-6-7 -")
    let called = store.compiler("Customer", policy: ExpressionPolicy(className: "P"))
    #expect(
      try called.value(expression, for: .optional("value")).rendered
        == #"modelctl_stored("modelctl_policy"('P', 'mix:with:', 'String', 'Integer 64,String', "#
        + #"("row"."ZSCORE" + 1), "row"."ZNAME"), 'String', "row"."Z_PK", 'Customer', "#
        + "'FUNCTION($entityPolicy, \"mix:with:\", $source.score + 1, $source.name)')")
    let objects = try ValueExpression(parsing: "FUNCTION($entityPolicy, 'a:b:', $source, $source.orders)")
    #expect(
      try called.value(objects, for: .optional("value", .date)).rendered.hasPrefix(
        #"modelctl_stored("modelctl_policy"('P', 'a:b:', 'Date', 'Object,Objects', "#
          + #"('Customer:' || "row"."Z_PK"), (SELECT group_concat("#))
    #expect(throws: ExpressionCompilationError.noPolicy(selector: "mix:with:")) {
      try store.compiler("Customer").value(expression, for: .optional("value"))
    }
  }

  @Test("long sums, long lists and many conditions have SQL that SQLite takes")
  func sizes() throws {
    let store = try ExpressionStore()
    let parts = (1...1_000).map { number in
      ValueExpression.comparison(
        ExpressionComparison(.keyPath(["score"], of: .selfObject), .equal, .constant(.integer(number))))
    }
    let many = try store.compiler("Customer").condition(.disjunction(parts))
    #expect(try store.column(many, of: "Customer") == "1 0 0")
    let list = ValueExpression.collection((1...5_000).map { .constant(.integer($0)) })
    let among = ValueExpression.comparison(ExpressionComparison(.keyPath(["score"], of: .selfObject), .isIn, list))
    #expect(try store.column(store.compiler("Customer").condition(among), of: "Customer") == "1 0 0")
    let greatest = try store.compiler("Customer").value(.function("max:", [list]), for: .optional("value", .integer16))
    #expect(try store.column(greatest, of: "Customer") == "5000 5000 5000")
    #expect(
      try store.values("$source.rate" + String(repeating: " + 1.0", count: 60), as: .double) == "60.5 62.5 -")
    #expect(
      try store.values("$source.name" + String(repeating: " + 'a'", count: 60), as: .string)
        == ["Émile", "zoe"].map { $0 + String(repeating: "a", count: 60) }.joined(separator: " ") + " -")
  }

  @Test("more constants than a statement takes")
  func constants() throws {
    let list = ValueExpression.collection((1...10_001).map { .constant(.integer($0)) })
    let among = ValueExpression.comparison(ExpressionComparison(.keyPath(["score"], of: .selfObject), .isIn, list))
    do {
      _ = try ExpressionStore().compiler("Customer").condition(among)
      Issue.record("it was taken")
    } catch let error as ExpressionCompilationError {
      #expect(error.description.hasSuffix("the expression has more than 10000 constants; split the expression"))
    }
  }

  @Test("Folding equals Foundation's, also in the faster implementation")
  func folding() throws {
    let ascii = String(decoding: 1..<0x80, as: UTF8.self)
    let texts = [ascii, "", "Émile ZOLA", "İstanbul ß ﬁ", "a\u{301}^`~", "\r\n\t"]
    let expected = texts.map { $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
    let found = try DatabaseQueue().write { database in
      ConversionFunctions(store: "Store.sqlite").register(in: database)
      return try texts.map { try String.fetchOne(database, sql: "SELECT modelctl_canonical(?)", arguments: [$0]) }
    }
    #expect(found == expected)
  }

  @Test("An expression that is too deep for SQLite is reported")
  func depth() throws {
    let store = try ExpressionStore()
    let shallow = String(repeating: "NOT (", count: 20) + "score == 7" + String(repeating: ")", count: 20)
    #expect(try store.keys(where: shallow) == "1")
    var deep = try ValueExpression(parsing: "score == 7")
    for _ in 0..<95 { deep = .negation(deep) }
    do {
      let sql = try store.compiler("Customer").condition(deep)
      #expect(try store.column(sql, of: "Customer") == "0 1 1", "an SQLite whose parser has no such limit")
    } catch let error as ExpressionCompilationError {
      #expect(error.description.hasSuffix("nested too deeply for SQLite; split the expression"))
    }
    var deeper = ValueExpression.keyPath(["score"], of: .variable("source"))
    for _ in 0..<5_000 { deeper = .function("abs:", [deeper]) }
    #expect(throws: ExpressionTypeError.self) {
      try store.compiler("Customer").value(deeper, for: .optional("value", .integer16))
    }
  }
}
