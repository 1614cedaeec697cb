import MappingModels
import MigrationSQL
import ModelDescription
import StoreMigration
import Testing

@Suite("SQL in a mapping")
struct SQLSnippetTests {
  @Test(
    "key paths are replaced in SQL, and not in texts, names and comments",
    arguments: [
      ("$source.name || '!'", "Émile! zoe! -"),
      ("coalesce($source.name, '$source.name')", "Émile zoe $source.name"),
      ("$source.name /* $source.nothing ) */ -- $source.nothing\n || ''", "Émile zoe -"),
      ("upper(\"ZNAME\")", "ÉMILE ZOE -"),
      ("$source.score * 2 + $source.orders.@count", "16 -14 -"),
      (
        "$source.name || ' has no \"SELECT\" /* VALUES */'",
        "Émile has no \"SELECT\" /* VALUES */ zoe has no \"SELECT\" /* VALUES */ -"
      ),
      ("hex($source.photo)", "AABB  "),
      ("'it''s ' || [ZSCORE] || `ZSCORE`", "it's 77 it's -7-7 -"),
    ])
  func replaced(sql: String, expected: String) throws {
    let store = try ExpressionStore()
    try SQLSnippetCheck(source: store.source).check(sql, entity: "Customer")
    let statement = try store.compiler("Customer").sql(sql)
    #expect(try store.column(statement, of: "Customer") == expected)
  }

  @Test("the value of an attribute gets the mark of external storage where the column needs one")
  func external() throws {
    let store = try ExpressionStore()
    var attribute = AttributeDescription.optional("value", .binary)
    attribute.allowsExternalBinaryDataStorage = true
    let statement = try store.compiler("Customer").sql("CAST($source.thumb || x'dd' AS BLOB)", for: attribute)
    #expect(try store.column(statement, of: "Customer") == "x01ccdd - -")
  }

  @Test(
    "SQL that is not one reading expression is refused before the migration starts",
    arguments: [
      ("", "the SQL is empty; write one SQL expression"),
      (" -- nothing", "the SQL is empty; write one SQL expression"),
      ("1; DELETE FROM ZORDER", "the SQL is more than one statement; write one SQL expression"),
      ("1) FROM ZORDER; --", "the parentheses do not match"),
      ("(1", "the parentheses do not match"),
      ("'a", "a ' is not closed"),
      ("1 /* ", "a /* is not closed"),
      ("?1", "the parameter ?1 has no value; write $source.key, or a value"),
      (":name", "the parameter :name has no value; write $source.key, or a value"),
      ("$sauce.name", "unknown variable $sauce; write $source.key, or $1, $2 … in place of a policy's function"),
      ("$1", "$1 does not exist: the function has 0 arguments"),
      (
        "$source.orders",
        "$source.orders gives several values; use a collection operator, such as @count or @sum.key"
      ),
      ("1, 2", "SQLite reports: near \",\": syntax error"),
      ("SELECT 1", Self.subselect),
      ("(SELECT count(*) FROM ZORDER)", Self.subselect),
      ("EXISTS(select 1)", Self.subselect),
      ("0 AND (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n)", Self.subselect),
      ("$source.score IN (VALUES (1))", Self.subselect),
      (
        "$source.score IN json_each('[1]')",
        "the SQL does more than read the store; write one SQL expression that only reads"
      ),
      ("ZORDER.ZNUMBER", "SQLite reports: no such column: ZORDER.ZNUMBER"),
      ("random()", Self.function("random")),
      ("hex(ZeroBlob(1000000000))", Self.function("zeroblob")),
      ("coalesce($source.name, randomblob(2))", Self.function("randomblob")),
      ("load_extension('x')", Self.function("load_extension")),
      ("1 AS x", "SQLite reports: near \"AS\": syntax error"),
      ("sum(ZSCORE)", "SQLite reports: misuse of aggregate function sum()"),
      ("row_number() OVER ()", "SQLite reports: misuse of window function row_number()"),
      ("ZNOTHING", "SQLite reports: no such column: ZNOTHING"),
      ("nosuch(1)", "SQLite reports: no such function: nosuch"),
      (
        "(SELECT name FROM pragma_table_info('ZORDER'))", Self.subselect
      ),
    ])
  func refused(sql: String, cause: String) throws {
    let check = try SQLSnippetCheck(source: ExpressionStore().source)
    do {
      try check.check(sql, entity: "Customer")
      Issue.record("it was taken")
    } catch let error as SQLSnippetError {
      #expect(error.description == "sql “\(sql)”: \(cause)")
    }
  }

  static let subselect =
    "a sub-select would read tables while they are rebuilt; use a key path such as $source.rows.@sum.price"

  static func function(_ name: String) -> String {
    "mappings cannot use \(name)(); write an expression that always gives the same value for the same row"
  }

  @Test("SQL with an unknown key path is refused")
  func unknownKey() throws {
    let check = try SQLSnippetCheck(source: ExpressionStore().source)
    do {
      try check.check("$source.nam", entity: "Customer")
      Issue.record("it was taken")
    } catch let error as ExpressionTypeError {
      #expect(error.description.hasPrefix("$source.nam: Customer has no property “nam”; nearest: name"))
    }
  }
}
