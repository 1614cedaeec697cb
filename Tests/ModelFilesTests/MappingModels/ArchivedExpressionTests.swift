import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import Testing

/// Each form of an archived expression, as the value of an attribute.
struct ArchivedExpressionTests {
  private func read(_ make: (inout ArchiveFixture) -> PropertyList) throws -> ArchivedExpression? {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Item")])
    let property = XcodeMappingFixture.Property(
      "value", ["valueexpressiondata": .bytes(ArchiveFixture.expression(make))])
    let file = XcodeMappingFixture(
      source: model, destination: model, mappings: [.init("Item", "Item", attributes: [property])])
    return try file.read().entityMappings[0].attributeMappings[0].expression
  }

  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var make: @Sendable (inout ArchiveFixture) -> PropertyList
    var expected: ValueExpression
  }

  static let source = ValueExpression.variable("source")
  static let forms: [Form] = [
    Form(testDescription: "$source.a", make: { $0.keyPath("a") }, expected: .keyPath(["a"], of: source)),
    Form(testDescription: "$source.a.b", make: { $0.keyPath("a.b") }, expected: .keyPath(["a", "b"], of: source)),
    Form(
      testDescription: "a key path of a key path",
      make: { archive in
        let first = archive.keyPath("a")
        return archive.keyPath("b", of: first)
      }, expected: .keyPath(["a", "b"], of: source)),
    Form(
      testDescription: "$source.items.@sum.price", make: { $0.keyPath("items.@sum.price") },
      expected: .keyPath(["items", "@sum", "price"], of: source)),
    Form(
      testDescription: "a key path on SELF",
      make: { archive in
        let object = archive.selfObject()
        return archive.keyPath("stable", of: object)
      }, expected: .keyPath(["stable"], of: .selfObject)),
    Form(
      testDescription: "FUNCTION($source, \"valueForKeyPath:\", \"a.b\")",
      make: { archive in
        let text = archive.add(text: "a.b")
        let (source, argument) = (archive.variable("source"), archive.constant(text))
        return archive.function("valueForKeyPath:", of: source, [argument])
      }, expected: .keyPath(["a", "b"], of: source)),
    Form(testDescription: "$source", make: { $0.variable("source") }, expected: source),
    Form(
      testDescription: "YES",
      make: { archive in
        let value = archive.add(.boolean(true))
        return archive.constant(value)
      }, expected: .constant(.boolean(true))),
    Form(
      testDescription: "7",
      make: { archive in
        let value = archive.add(.integer(7))
        return archive.constant(value)
      }, expected: .constant(.integer(7))),
    Form(
      testDescription: "0.5",
      make: { archive in
        let value = archive.add(.real(0.5))
        return archive.constant(value)
      }, expected: .constant(.double(0.5))),
    Form(
      testDescription: "\"text\"",
      make: { archive in
        let value = archive.add(text: "text")
        return archive.constant(value)
      }, expected: .constant(.string("text"))),
    Form(testDescription: "nil", make: { $0.constant(.uid(0)) }, expected: .null),
    Form(
      testDescription: "a date",
      make: { archive in
        let value = archive.add("NSDate", ["NS.time": .real(60)])
        return archive.constant(value)
      }, expected: .constant(.date(60))),
    Form(
      testDescription: "a decimal number",
      make: { archive in
        let value = archive.add(
          "NSDecimalNumber",
          [
            "NS.mantissa": .data(Data([25] + [UInt8](repeating: 0, count: 15))), "NS.exponent": .integer(-1),
            "NS.mantissa.bo": .integer(1), "NS.negative": .boolean(false),
          ])
        return archive.constant(value)
      }, expected: .constant(.decimal(Decimal(string: "2.5") ?? 0))),
    Form(
      testDescription: "an array of constants",
      make: { archive in
        let members = [archive.add(.integer(1)), archive.add(text: "b")]
        let value = archive.add(array: members)
        return archive.constant(value)
      }, expected: .collection([.constant(.integer(1)), .constant(.string("b"))])),
    Form(
      testDescription: "multiply:by:",
      make: { archive in
        let two = archive.add(.integer(2))
        let arguments = [archive.keyPath("a"), archive.constant(two)]
        return archive.function("multiply:by:", arguments)
      }, expected: .function("multiply:by:", [.keyPath(["a"], of: source), .constant(.integer(2))])),
    Form(testDescription: "now()", make: { $0.function("now", []) }, expected: .function("now", [])),
    Form(
      testDescription: "CAST",
      make: { archive in
        let name = archive.add(text: "NSDate")
        let arguments = [archive.keyPath("a"), archive.constant(name)]
        return archive.function("castObject:toType:", arguments)
      }, expected: .cast(.keyPath(["a"], of: source), to: "NSDate")),
    Form(
      testDescription: "FUNCTION($entityPolicy, \"stateOf:\", $source)",
      make: { archive in
        let (policy, argument) = (archive.variable("entityPolicy"), archive.variable("source"))
        return archive.function("stateOf:", of: policy, [argument])
      },
      expected: .invocation(of: .variable("entityPolicy"), selector: "stateOf:", arguments: [source])),
    Form(
      testDescription: "a collection of expressions",
      make: { archive in
        let members = [archive.keyPath("a"), archive.variable("source")]
        let list = archive.add(array: members)
        return archive.add("NSAggregateExpression", ["NSExpressionType": .integer(14), "NSCollection": list])
      }, expected: .collection([.keyPath(["a"], of: source), source])),
  ]

  @Test(arguments: forms) func aKnownFormIsRead(form: Form) throws {
    #expect(try read(form.make) == .readable(form.expected))
  }

  @Test func whatNoMappingCanComputeIsKeptWithItsReason() throws {
    #expect(
      try read { $0.add("NSBlockExpression", ["NSExpressionType": .integer(19)]) }
        == .unreadable(.unknownKind(19, className: "NSBlockExpression")))
    #expect(
      try read { $0.add("NSVariableExpression", ["NSExpressionType": .integer(2)]) }
        == .unreadable(.missingField("NSVariable", className: "NSVariableExpression")))
    #expect(
      try read { $0.function("stringWithFormat:", ofClass: "NSString", []) }
        == .unreadable(.unknownTarget(className: "NSString")))
    #expect(
      try read { archive in
        let color = archive.add("NSColor", [:])
        return archive.constant(color)
      } == .unreadable(.unknownConstant(className: "NSColor")))
  }

  @Test func anExpressionThatContainsItselfIsBounded() throws {
    let expression = try read { archive in
      let function = archive.function("abs:", [.uid(0)])
      let arguments = archive.add(array: [function])
      archive.set(function, "NSArguments", to: arguments)
      return function
    }
    #expect(expression == .unreadable(.tooDeep(limit: 64)))
  }

  @Test func tenThousandLevelsAreBounded() throws {
    let expression = try read { archive in
      var inner = archive.variable("source")
      for _ in 0..<10_000 { inner = archive.function("abs:", [inner]) }
      return inner
    }
    #expect(expression == .unreadable(.tooDeep(limit: 64)))
  }

  /// Forty levels of a sum of an object with itself are 2⁴⁰ objects when they are written out.
  @Test func sharedObjectsAreBounded() throws {
    let expression = try read { archive in
      var inner = archive.variable("source")
      for _ in 0..<40 { inner = archive.function("add:to:", [inner, inner]) }
      return inner
    }
    #expect(expression == .unreadable(.tooLarge(limit: 10_000)))
  }
}
