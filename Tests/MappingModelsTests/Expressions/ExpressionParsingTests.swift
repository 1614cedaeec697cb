import Foundation
import MappingModels
import ModelDescription
import Testing

@Suite("Expressions are read in NSExpression's and NSPredicate's syntax")
struct ExpressionParsingTests {
  private static let a = ValueExpression.keyPath(["a"], of: .selfObject)
  private static let b = ValueExpression.keyPath(["b"], of: .selfObject)
  private static let c = ValueExpression.keyPath(["c"], of: .selfObject)

  @Test(
    "Key paths, variables and names",
    arguments: [
      ("name", .keyPath(["name"], of: .selfObject)),
      ("SELF", .selfObject),
      ("self.name", .keyPath(["name"], of: .selfObject)),
      ("$source", .variable("source")),
      ("$source.customer.name", .keyPath(["customer", "name"], of: .variable("source"))),
      ("$source.items.@sum.price", .keyPath(["items", "@sum", "price"], of: .variable("source"))),
      ("$source . items . @count", .keyPath(["items", "@count"], of: .variable("source"))),
      ("#in", .keyPath(["in"], of: .selfObject)),
      ("#self.any", .keyPath(["self", "any"], of: .selfObject)),
      ("#'a b'.c", .keyPath(["a b", "c"], of: .selfObject)),
      ("(a.b).c", .keyPath(["c"], of: .keyPath(["a", "b"], of: .selfObject))),
      ("größe", .keyPath(["größe"], of: .selfObject)),
    ] as [(String, ValueExpression)])
  func names(text: String, expression: ValueExpression) throws {
    #expect(try ValueExpression(parsing: text) == expression)
  }

  @Test(
    "Literals",
    arguments: [
      ("1", .integer(1)), ("-1", .integer(-1)), ("0x1F", .integer(31)), ("0b101", .integer(5)), ("0o17", .integer(15)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .decimal(Decimal(9_223_372_036_854_775_808 as UInt64))),
      ("1.5", .double(1.5)), (".5", .double(0.5)), ("-2.5e-3", .double(-0.0025)), ("1E3", .double(1000)),
      ("'it\\'s'", .string("it's")), ("\"say \\\"yes\\\"\"", .string("say \"yes\"")), ("'\"'", .string("\"")),
      ("'a\\n\\t\\\\\\u00e9\\x41\\uD83D\\uDE00'", .string("a\n\t\\éA😀")), ("''", .string("")),
      ("YES", .boolean(true)), ("no", .boolean(false)), ("True", .boolean(true)), ("FALSE", .boolean(false)),
      ("CAST(\"2026-01-31T12:00:00Z\", \"NSDate\")", .date(791_553_600)),
      ("CAST('2001-01-01', 'NSDate')", .date(0)),
      ("CAST(599529600.5, \"NSDate\")", .date(599_529_600.5)),
      ("CAST('1.50', 'NSDecimalNumber')", .decimal(1.5)),
      (
        "CAST('8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11', 'NSUUID')",
        .uuid(UUID(uuidString: "8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11") ?? UUID())
      ),
      ("CAST('AQI=', 'NSData')", .binary(Data([1, 2]))),
      ("CAST('https://example.com/ä', 'NSURL')", .uri("https://example.com/ä")),
    ] as [(String, AttributeValue)])
  func literals(text: String, value: AttributeValue) throws {
    #expect(try ValueExpression(parsing: text) == .constant(value))
  }

  @Test(
    "Arithmetic is functions, bound as in mathematics",
    arguments: [
      ("a + b * c", .function("add:to:", [a, .function("multiply:by:", [b, c])])),
      ("(a + b) * c", .function("multiply:by:", [.function("add:to:", [a, b]), c])),
      ("a - b - c", .function("from:subtract:", [.function("from:subtract:", [a, b]), c])),
      ("a / b ** c", .function("divide:by:", [a, .function("raise:toPower:", [b, c])])),
      ("-a", .function("from:subtract:", [.constant(.integer(0)), a])),
      ("a - -1", .function("from:subtract:", [a, .constant(.integer(-1))])),
      ("a-1", .function("from:subtract:", [a, .constant(.integer(1))])),
      ("multiply:by:(a, b)", .function("multiply:by:", [a, b])),
    ] as [(String, ValueExpression)])
  func arithmetic(text: String, expression: ValueExpression) throws {
    #expect(try ValueExpression(parsing: text) == expression)
  }

  @Test(
    "Functions by selector or by its first word",
    arguments: [
      ("uppercase:(a)", .function("uppercase:", [a])),
      ("uppercase(a)", .function("uppercase:", [a])),
      ("now()", .function("now", [])),
      ("sum:(a.b)", .function("sum:", [.keyPath(["a", "b"], of: .selfObject)])),
      ("modulus:by:(a, 2)", .function("modulus:by:", [a, .constant(.integer(2))])),
      ("uppercase:(a).length", .keyPath(["length"], of: .function("uppercase:", [a]))),
      (
        "TERNARY(a == nil, b, c)",
        .conditional(.comparison(ExpressionComparison(a, .equal, .null)), then: b, else: c)
      ),
      ("ternary(YES, a, b)", .conditional(.constant(.boolean(true)), then: a, else: b)),
      ("CAST(a, 'NSDate')", .cast(a, to: "NSDate")),
      ("CAST(('x'), 'NSDate')", .cast(.constant(.string("x")), to: "NSDate")),
      ("{a, 1, {}}", .collection([a, .constant(.integer(1)), .collection([])])),
      (
        "FUNCTION($entityPolicy, 'reverse:', $source.a)",
        .invocation(
          of: .variable("entityPolicy"), selector: "reverse:",
          arguments: [.keyPath(["a"], of: .variable("source"))])
      ),
      (
        "FUNCTION($entityPolicy, \"today\")",
        .invocation(of: .variable("entityPolicy"), selector: "today", arguments: [])
      ),
      (
        "FETCH($request, $manager.sourceContext, NO)",
        .fetch(
          request: .variable("request"), context: .keyPath(["sourceContext"], of: .variable("manager")),
          countsOnly: false)
      ),
    ] as [(String, ValueExpression)])
  func functions(text: String, expression: ValueExpression) throws {
    #expect(try ValueExpression(parsing: text) == expression)
  }

  @Test(
    "Every spelling of a comparison",
    arguments: [
      ("a = b", .equal), ("a == b", .equal), ("a != b", .notEqual), ("a <> b", .notEqual), ("a < b", .less),
      ("a <= b", .lessOrEqual), ("a =< b", .lessOrEqual), ("a > b", .greater), ("a >= b", .greaterOrEqual),
      ("a => b", .greaterOrEqual), ("a BEGINSWITH b", .beginsWith), ("a contains b", .contains),
      ("a EndsWith b", .endsWith), ("a LIKE b", .like), ("a MATCHES b", .matches), ("a IN b", .isIn),
      ("a BETWEEN b", .between),
    ] as [(String, ExpressionComparison.Operator)])
  func comparisons(text: String, kind: ExpressionComparison.Operator) throws {
    #expect(try ValueExpression(parsing: text) == .comparison(ExpressionComparison(Self.a, kind, Self.b)))
  }

  @Test("Options and quantifiers")
  func optionsAndQuantifiers() throws {
    #expect(
      try ValueExpression(parsing: "a LIKE[cd] 'x*'")
        == .comparison(
          ExpressionComparison(
            Self.a, .like, .constant(.string("x*")), ignoresCase: true, ignoresDiacritics: true)))
    #expect(
      try ValueExpression(parsing: "ANY a.b > 3")
        == .comparison(
          ExpressionComparison(
            .keyPath(["a", "b"], of: .selfObject), .greater, .constant(.integer(3)), quantifier: .any)))
    #expect(try ValueExpression(parsing: "SOME a = b") == ValueExpression(parsing: "any a == b"))
    #expect(try ValueExpression(parsing: "NONE a = b") != ValueExpression(parsing: "ALL a = b"))
  }

  @Test(
    "Logic: NOT binds before AND, AND before OR",
    arguments: [
      ("a OR b AND c", .disjunction([a, .conjunction([b, c])])),
      ("a && b && c", .conjunction([a, b, c])),
      ("(a AND b) AND c", .conjunction([.conjunction([a, b]), c])),
      ("(a || b) && c", .conjunction([.disjunction([a, b]), c])),
      ("NOT a AND b", .conjunction([.negation(a), b])),
      ("!a == b", .negation(.comparison(ExpressionComparison(a, .equal, b)))),
      ("NOT NOT a", .negation(.negation(a))),
      ("TRUEPREDICATE", .truth(true)),
      ("falsepredicate OR a", .disjunction([.truth(false), a])),
    ] as [(String, ValueExpression)])
  func logic(text: String, expression: ValueExpression) throws {
    #expect(try ValueExpression(parsing: text) == expression)
  }

  @Test(
    "The filters that mapping models of real apps have",
    arguments: [
      "image != nil", "messageID < 10000", "title MATCHES '[a-h].*'", "topicList.title MATCHES \"[a-h].*\"",
    ])
  func realFilters(text: String) throws {
    guard case .comparison = try ValueExpression(parsing: text) else {
      Issue.record("\(text) is no comparison")
      return
    }
  }
}
