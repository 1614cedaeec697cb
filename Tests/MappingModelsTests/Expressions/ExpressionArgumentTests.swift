import MappingModels
import ModelDescription
import Testing

@Suite("Arguments of an expression's text")
struct ExpressionArgumentTests {
  private func read(_ text: String, _ arguments: ValueExpression...) throws -> ValueExpression {
    try ValueExpression(parsing: text, arguments: arguments)
  }

  private static let three: ValueExpression = .constant(.integer(3))

  @Test("%@ is a value, in the order of the text, and %K the keys of a path")
  func read() throws {
    #expect(
      try read("%K == %@ AND b < %@", .constant(.string("customer.name")), .constant(.string("x' OR '1")), Self.three)
        == ValueExpression(parsing: "customer.name == \"x' OR '1\" AND b < 3"))
    #expect(
      try read("a IN %@", .collection([Self.three, .null])) == ValueExpression(parsing: "a IN {3, nil}"))
    #expect(
      try read("SUBQUERY(rows, $x, $x.%K > %@).@count > 0", .constant(.string("item.price")), Self.three)
        == ValueExpression(parsing: "SUBQUERY(rows, $x, $x.item.price > 3).@count > 0"))
    #expect(
      try read("ANY %K.name == %K", .constant(.string("rows")), .constant(.string("a.@count")))
        == ValueExpression(parsing: "ANY rows.name == a.@count"))
    #expect(try read("-%@", Self.three) == ValueExpression(parsing: "-(3)"))
  }

  @Test("Text in quotation marks is a constant")
  func quoted() throws {
    #expect(try read("a == '%@'") == ValueExpression(parsing: "a == \"%@\""))
  }

  @Test("A key path of an argument is taken unchanged")
  func strangeKeys() throws {
    #expect(try read("%K == 1", .constant(.string("AND"))) == ValueExpression(parsing: "#AND == 1"))
    #expect(
      try read("%K == 1", .constant(.string("a == 1 OR b")))
        == .comparison(ExpressionComparison(.keyPath(["a == 1 OR b"], of: .selfObject), .equal, .constant(.integer(1))))
    )
  }

  @Test(
    "Arguments that do not fit have their place in the text",
    arguments: [
      ("a == %@ AND bb == %@", 1, 18, ExpressionSyntaxError.Reason.missingArgument(needed: 2, given: 1)),
      ("a == %@", 2, 7, .unusedArguments(needed: 1, given: 2)), ("a == 1", 1, 6, .unusedArguments(needed: 0, given: 1)),
      ("a == %@ OR %K == 1", 2, 11, .noKeyPath(argument: 2)), ("%K.%K == 1", 1, 0, .noKeyPath(argument: 1)),
      ("a == %d", 1, 5, .unknownArgument("%d")), ("a == %", 1, 5, .unknownOperator("%", near: [])),
      ("%@ %@", 2, 3, .expected("an operator or the end", found: "%@")),
    ])
  func refused(_ text: String, _ count: Int, _ offset: Int, _ cause: ExpressionSyntaxError.Reason) {
    let arguments = Array(repeating: Self.three, count: count)
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try ValueExpression(parsing: text, arguments: arguments)
    }
    #expect(error?.reason == cause && error?.offset == offset)
  }

  @Test("An empty key is none", arguments: ["", "a.", ".a", "a..b"])
  func emptyKeys(_ path: String) {
    let error = #expect(throws: ExpressionSyntaxError.self) { try read("%K == 1", .constant(.string(path))) }
    #expect(error?.reason == .noKeyPath(argument: 1) && error?.offset == 0)
  }

  @Test("An argument counts to the depth that is read")
  func depth() throws {
    let deep = (0..<63).reduce(Self.three) { part, _ in .function("abs:", [part]) }
    #expect(throws: ExpressionSyntaxError.self) { try read("a == %@", deep) }
    #expect(throws: Never.self) { try read("%@", deep) }
  }

  @Test("An object has a text that is read as the same object")
  func objects() throws {
    let object = ValueExpression.object(entity: "Customer", key: 7)
    #expect(object.description == "CAST((\"Customer/p7\"), \"NSManagedObjectID\")")
    #expect(try ValueExpression(parsing: object.description) == object)
    #expect(try ValueExpression(parsing: "CAST('Customer/p7', 'NSManagedObjectID')") == object)
  }
}
