import Foundation
import MappingModels
import ModelDescription

/// Writes expressions in the form that mapping models keep them in: a keyed archive of an `NSExpression`.
struct ArchivedExpressionWriter {
  private var writer = ArchivedValueWriter()
  private var texts: [Data: PropertyList] = [:]

  /// The archive; nil for an expression with a part that ``unknownPart(of:)`` names.
  static func archive(of expression: ValueExpression) -> Data? {
    var writer = ArchivedExpressionWriter()
    guard let root = writer.add(expression) else { return nil }
    return Data(writer.writer.archive(of: ["root": root]))
  }

  /// The first part that no known archive contains, as written in an expression; nil if there is none.
  static func unknownPart(of expression: ValueExpression) -> String? {
    switch expression {
    case .conditional: "TERNARY"
    case .subquery: "SUBQUERY"
    case .fetch: "FETCH"
    case .comparison, .conjunction, .disjunction, .negation, .truth: "a condition"
    case .null, .constant, .selfObject, .variable, .keyPath, .function, .invocation, .cast, .collection:
      expression.parts.lazy.compactMap(unknownPart).first
    }
  }

  private mutating func add(_ expression: ValueExpression) -> PropertyList? {
    let place = writer.append(.string("$null"))
    guard let object = object(expression) else { return nil }
    writer.replace(place, with: object)
    return place
  }

  private mutating func object(_ expression: ValueExpression) -> PropertyList? {
    switch expression {
    case .null: return of("NSConstantValueExpression", 0, ["NSConstantValue": .uid(0)])
    case .constant(.string(let text)): return of("NSConstantValueExpression", 0, ["NSConstantValue": add(text)])
    case .constant(let value):
      return of("NSConstantValueExpression", 0, ["NSConstantValue": writer.add(constant: value)])
    case .selfObject: return of("NSSelfExpression", 1, [:])
    case .variable(let name): return of("NSVariableExpression", 2, ["NSVariable": add(name)])
    case .keyPath(let keys, let base): return keyPath(keys, of: base)
    case .function(let selector, let arguments): return function(selector, of: builtIns(), arguments)
    case .cast(let value, let type):
      return function("castObject:toType:", of: builtIns(), [value, .constant(.string(type))])
    case .invocation(let target, let selector, let arguments):
      return add(target).flatMap { function(selector, of: $0, arguments) }
    case .collection(let members):
      guard let members = list(members, of: ["NSArray", "NSObject"]) else { return nil }
      return of("NSAggregateExpression", 14, ["NSCollection": members])
    case .comparison, .conjunction, .disjunction, .negation, .truth, .conditional, .subquery, .fetch: return nil
    }
  }

  /// Keys after an object are a call of `valueForKeyPath:` with one specifier.
  private mutating func keyPath(_ keys: [String], of base: ValueExpression) -> PropertyList? {
    guard let operand = add(base) else { return nil }
    let path = add(keys.joined(separator: "."))
    let specifier = writer.append(of("NSKeyPathSpecifierExpression", 10, ["NSKeyPath": path]))
    let arguments = writer.append(
      writer.object(of: ["NSMutableArray", "NSArray", "NSObject"], ["NS.objects": .array([specifier])]))
    return writer.object(
      of: ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"],
      [
        "NSExpressionType": .integer(base == .selfObject ? 3 : 4), "NSOperand": operand,
        "NSSelectorName": add("valueForKeyPath:"), "NSArguments": arguments,
      ])
  }

  private mutating func function(
    _ selector: String, of operand: PropertyList, _ arguments: [ValueExpression]
  ) -> PropertyList? {
    guard let arguments = list(arguments, of: ["NSArray", "NSObject"]) else { return nil }
    return of(
      "NSFunctionExpression", 4,
      ["NSOperand": operand, "NSSelectorName": add(selector), "NSArguments": arguments])
  }

  /// The class that built-in functions are methods of.
  private mutating func builtIns() -> PropertyList {
    writer.append(of("NSConstantValueExpression", 0, ["NSConstantValueClassName": add("_NSPredicateUtilities")]))
  }

  private mutating func list(_ members: [ValueExpression], of classes: [String]) -> PropertyList? {
    var references: [PropertyList] = []
    for member in members {
      guard let reference = add(member) else { return nil }
      references.append(reference)
    }
    return writer.append(writer.object(of: classes, ["NS.objects": .array(references)]))
  }

  private mutating func of(_ className: String, _ kind: Int64, _ fields: [String: PropertyList]) -> PropertyList {
    writer.object(
      of: [className, "NSExpression", "NSObject"], fields.merging(["NSExpressionType": .integer(kind)]) { $1 })
  }

  private mutating func add(_ text: String) -> PropertyList {
    let bytes = Data(text.utf8)
    if let known = texts[bytes] { return known }
    let reference = writer.add(.string(text))
    texts[bytes] = reference
    return reference
  }
}
