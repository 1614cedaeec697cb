import Foundation
import ModelFiles

/// Archives expressions as `NSExpression` does.
extension ArchiveFixture {
  mutating func variable(_ name: String) -> PropertyList {
    add("NSVariableExpression", ["NSExpressionType": .integer(2), "NSVariable": add(text: name)])
  }

  mutating func constant(_ value: PropertyList) -> PropertyList {
    add("NSConstantValueExpression", ["NSExpressionType": .integer(0), "NSConstantValue": value])
  }

  /// A key path on `$source`, or on another operand.
  mutating func keyPath(_ keys: String, of operand: PropertyList? = nil) -> PropertyList {
    let specifier = add(
      "NSKeyPathSpecifierExpression", ["NSExpressionType": .integer(10), "NSKeyPath": add(text: keys)])
    return add(
      "NSKeyPathExpression",
      [
        "NSExpressionType": .integer(4), "NSOperand": operand ?? variable("source"),
        "NSSelectorName": add(text: "valueForKeyPath:"), "NSArguments": add(array: [specifier]),
      ])
  }

  mutating func selfObject() -> PropertyList { add("NSSelfExpression", ["NSExpressionType": .integer(1)]) }

  mutating func function(_ selector: String, of operand: PropertyList, _ arguments: [PropertyList]) -> PropertyList {
    add(
      "NSFunctionExpression",
      [
        "NSExpressionType": .integer(4), "NSOperand": operand, "NSSelectorName": add(text: selector),
        "NSArguments": add(array: arguments),
      ])
  }

  /// A function of a class, which is what built-in functions are.
  mutating func function(
    _ selector: String, ofClass className: String = "_NSPredicateUtilities", _ arguments: [PropertyList]
  ) -> PropertyList {
    let operand = add(
      "NSConstantValueExpression",
      ["NSExpressionType": .integer(0), "NSConstantValueClassName": add(text: className)])
    return function(selector, of: operand, arguments)
  }

  /// The bytes of an archived expression.
  static func expression(_ make: (inout ArchiveFixture) -> PropertyList) -> Data {
    var archive = ArchiveFixture()
    let root = make(&archive)
    return archive.data(root: root)
  }
}
