import GRDB
import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreMigration
import TestSupport
import Testing

@Suite("An expression without a value for a row stops the statement and names the row")
struct RowFailureTests {
  @Test(
    "arithmetic",
    arguments: [
      (
        "$source.score / ($source.score - 7)",
        "Customer with Z_PK 1: $source.score / ($source.score - 7): the divisor is zero"
      ),
      ("$source.score / $source.isVip", "Customer with Z_PK 2: $source.score / $source.isVip: the divisor is zero"),
      ("1.5 / ($source.score - 7)", "Customer with Z_PK 1: 1.5 / ($source.score - 7): the divisor is zero"),
      ("modulus:by:($source.score, 0)", "Customer with Z_PK 1: modulus:by:($source.score, 0): the divisor is zero"),
      ("$source.points + 1", "Customer with Z_PK 1: $source.points + 1: the number does not fit 64 bits"),
      ("($source.points + 1) / 2", "Customer with Z_PK 1: $source.points + 1: the number does not fit 64 bits"),
      (
        "$source.points * $source.points - 1",
        "Customer with Z_PK 1: $source.points * $source.points - 1: the number does not fit 64 bits"
      ),
      ("sqrt:($source.score)", "Customer with Z_PK 2: sqrt:($source.score): sqrt of -7.0 is not a number"),
      ("ln:($source.score - 7)", "Customer with Z_PK 1: ln:($source.score - 7): ln of 0.0 is not a number"),
      (
        "exp:($source.points)",
        "Customer with Z_PK 1: exp:($source.points): exp of 9.223372036854776e+18 is not a number"
      ),
      (
        "10 ** $source.points",
        "Customer with Z_PK 1: 10 ** $source.points: 10.0 to the power of 9.223372036854776e+18 is not a number"
      ),
    ])
  func arithmetic(text: String, message: String) throws {
    #expect(try failure { try $0.values(text, as: .integer64) } == message)
  }

  @Test(
    "a number that does not fit the attribute",
    arguments: [
      ("$source.points", "Customer with Z_PK 1: $source.points: 9223372036854775807 does not fit the attribute"),
      ("$source.rate * 100000", "Customer with Z_PK 1: $source.rate * 100000: 50000 does not fit the attribute"),
      ("10.0 ** 20", "Customer with Z_PK 1: 10.0 ** 20: 1e+20 does not fit"),
    ])
  func bounds(text: String, message: String) throws {
    #expect(try failure { try $0.values(text, as: .integer16) } == message)
  }

  @Test(
    "a text that is not of the type it is cast to",
    arguments: [
      (
        "CAST($source.name, 'NSNumber')", AttributeType.double,
        "Customer with Z_PK 1: CAST($source.name, \"NSNumber\"): “Émile” is not a valid Double; give a number such as 1.5"
      ),
      (
        "CAST($source.name, 'NSDate')", .date,
        "Customer with Z_PK 1: CAST($source.name, \"NSDate\"): “Émile” is not a valid Date; give an ISO 8601 date such as 2026-01-31 or 2026-01-31T12:00:00Z"
      ),
      (
        "CAST($source.thumb, 'NSUUID')", .uuid,
        "Customer with Z_PK 1: CAST($source.thumb, \"NSUUID\"): 1 bytes are not a value of NSUUID"
      ),
    ])
  func casts(text: String, type: AttributeType, message: String) throws {
    #expect(try failure { try $0.values(text, as: type) } == message)
  }

  @Test(
    "SQL with a value that the attribute cannot have",
    arguments: [
      ("'abc'", AttributeType.date, "Customer with Z_PK 1: sql “'abc'”: the text “abc” is not a valid Date"),
      ("'7'", .integer16, "Customer with Z_PK 1: sql “'7'”: the text “7” is not a valid Integer 16"),
      ("1e300", .integer16, "Customer with Z_PK 1: sql “1e300”: 1e+300 is not a valid Integer 16"),
      (
        "ZSCORE * 10000", .integer16,
        "Customer with Z_PK 1: sql “ZSCORE * 10000”: 70000 does not fit an attribute of type Integer 16"
      ),
      ("2", .boolean, "Customer with Z_PK 1: sql “2”: 2 does not fit an attribute of type Boolean"),
      ("x'00'", .uuid, "Customer with Z_PK 1: sql “x'00'”: data of 1 bytes is not a valid UUID"),
      ("1", .string, "Customer with Z_PK 1: sql “1”: 1 is not a valid String"),
      (
        "2.5", .integer16,
        "Customer with Z_PK 1: sql “2.5”: 2.5 has a fraction, and the attribute is of type Integer 16; use CAST(… AS INTEGER) or round it"
      ),
      ("2.0", .integer16, "no failure: 2 2 2"),
      ("1", .double, "no failure: 1.0 1.0 1.0"),
    ])
  func snippets(sql: String, type: AttributeType, message: String) throws {
    let found = try failure { store in
      try store.column(store.compiler("Customer").sql(sql, for: .optional("value", type)), of: "Customer")
    }
    #expect(found == message)
  }

  @Test("a sum and a magnitude that leave 64 bits")
  func sums() throws {
    let store = try ExpressionStore()
    try store.store.execute("UPDATE ZORDER SET ZNUMBER = 9223372036854775807 WHERE Z_PK = 1")
    try store.store.execute("UPDATE ZCUSTOMER SET ZPOINTS = -9223372036854775807 - 1 WHERE Z_PK = 1")
    #expect(
      try failure(of: store) { try $0.values("$source.orders.@sum.number", as: .double) }
        == "Customer with Z_PK 1: $source.orders.@sum.number: the number does not fit 64 bits")
    #expect(
      try failure(of: store) { try $0.values("abs:($source.points)", as: .double) }
        == "Customer with Z_PK 1: abs:($source.points): the number does not fit 64 bits")
  }

  @Test("a regular expression that never ends is given up")
  func endless() throws {
    let store = try ExpressionStore()
    try store.store.execute("UPDATE ZCUSTOMER SET ZNAME = '\(String(repeating: "a", count: 5_000))!' WHERE Z_PK = 2")
    var message = ""
    let seconds = try ProcessorTime.seconds {
      message = try failure(of: store) { try $0.keys(where: "name MATCHES '(a+)+$'") }
    }
    #expect(
      message
        == "Customer with Z_PK 2: name MATCHES \"(a+)+$\": “(a+)+$” tries too many ways to match; write it without nested repetition"
    )
    #expect(seconds < 30)
  }

  @Test("a pattern of a row that is not a regular expression")
  func invalid() throws {
    let store = try ExpressionStore()
    try store.store.execute("UPDATE ZCUSTOMER SET ZNAME = '(' WHERE Z_PK = 2")
    #expect(
      try failure(of: store) { try $0.keys(where: "'x' MATCHES name") }
        == "Customer with Z_PK 2: \"x\" MATCHES name: “(” is not a valid regular expression")
  }

  @Test("a missing number has no result, for any divisor")
  func missing() throws {
    #expect(
      try ExpressionStore().values("TERNARY($source.name == nil, $source.score / 0, 1)", as: .integer64) == "1 1 -")
    #expect(try ExpressionStore().values("nil / 0", as: .integer64) == "- - -")
  }

  private func failure(
    of store: ExpressionStore? = nil, _ body: (ExpressionStore) throws -> String
  ) throws -> String {
    do {
      return try "no failure: " + body(store ?? ExpressionStore())
    } catch let error as DatabaseError {
      return error.message ?? ""
    } catch StoreError.noValue(_, let detail) {
      return detail
    }
  }
}
