import Foundation
import ModelComparison
import ModelDescription

struct StructAttribute {
  let attribute: AttributeDescription
  /// The struct of a composite attribute's type.
  let composite: String?
  /// True in a struct that is read from a store and saved there.
  let isStored: Bool

  /// The facts in its documentation comment.
  var facts: [String] {
    let composite = ["Composite", attribute.compositeName ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    var facts = [attribute.type == .composite ? composite : attribute.type.name]
    if attribute.isOptional { facts.append("optional") }
    if let value = attribute.defaultValue { facts.append("default \(AspectValue.value(value))") }
    if let className = attribute.valueClassName { facts.append("of class \(className)") }
    if let derivation = attribute.derivation { facts.append("derived from \(derivation.expression)") }
    if attribute.isTransient { facts.append("not stored") }
    return facts.map { SwiftLiteral.comment($0) }
  }

  /// The type and the default value after the colon.
  ///
  /// In a stored struct, a value is optional if a store does not have it before the object is saved.
  var typeAndDefault: String {
    let hasDefault = defaultLiteral != nil && !isWorkedOut
    let type = isOptional || isStored && (isWorkedOut || !isKept && !hasDefault) ? "\(self.type)?" : self.type
    return hasDefault ? "\(type) = \(defaultLiteral ?? "")" : type
  }

  /// True if an object need not have a value.
  var isOptional: Bool { attribute.isOptional || isWorkedOut }

  /// True if the store computes the value.
  var isWorkedOut: Bool { isStored && attribute.derivation != nil }

  /// True if a store has a column for it.
  var isKept: Bool {
    guard !attribute.isTransient else { return false }
    switch attribute.type {
    case .undefined, .objectID, .unrecognized: return false
    case .composite: return composite != nil
    default: return true
    }
  }

  var type: String {
    switch attribute.type {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .uri, .objectID: "URL"
    case .composite: composite ?? "Data"
    case .binary, .transformable, .undefined, .unrecognized: "Data"
    }
  }

  /// The default value; nil if there is none, or if its type cannot hold it.
  private var defaultLiteral: String? {
    switch (attribute.type, attribute.defaultValue) {
    case (.integer16, .integer(let number)): return Int16(exactly: number).map { "\($0)" }
    case (.integer32, .integer(let number)): return Int32(exactly: number).map { "\($0)" }
    case (.integer64, .integer(let number)): return "\(number)"
    case (.double, .double(let number)): return number.isFinite ? SwiftLiteral.number(number) : nil
    case (.float, .double(let number)): return Float(number).isNormal || number == 0 ? "\(Float(number))" : nil
    case (.decimal, .decimal(let number)): return Self.decimal(number)
    case (.string, .string(let text)): return SwiftLiteral.string(text)
    case (.boolean, .boolean(let flag)): return "\(flag)"
    case (.date, .date(let seconds)):
      return seconds.isFinite ? "Date(timeIntervalSinceReferenceDate: \(SwiftLiteral.number(seconds)))" : nil
    case (.binary, .binary(let data)): return "Data([\(data.map { "\($0)" }.joined(separator: ", "))])"
    case (.uuid, .uuid(let uuid)):
      let bytes = withUnsafeBytes(of: uuid.uuid) { $0.map { "\($0)" } }
      return "UUID(uuid: (\(bytes.joined(separator: ", "))))"
    case (.uri, .uri(let text)): return attribute.isOptional ? "URL(string: \(SwiftLiteral.string(text)))" : nil
    default: return nil
    }
  }

  private static func decimal(_ number: Decimal) -> String? {
    let text = "\(number)"
    if Int64(text) != nil { return text }
    guard !number.isNaN, let significand = Int64("\(number.significand.magnitude)") else { return nil }
    let sign = number.sign == .minus ? ".minus" : ".plus"
    return "Decimal(sign: \(sign), exponent: \(number.exponent), significand: \(significand))"
  }
}

struct StructRelationship {
  let relationship: RelationshipDescription
  /// The type that identifies the destination objects.
  let identifier: String
  /// The struct of the destination objects; nil in a plain struct, and if the model does not have their entity.
  let storedType: String?
  /// True in a struct that is read from a store and saved there.
  let isStored: Bool

  /// The facts in its documentation comment.
  var facts: [String] {
    let destination = relationship.destinationEntityName ?? "an unknown entity"
    var facts = ["\(relationship.isToMany ? "To many" : "To one") \(destination)"]
    if relationship.isToMany, relationship.isOrdered { facts.append("ordered") }
    if relationship.isOptional { facts.append("optional") }
    if relationship.isToMany, relationship.minCount > 0 { facts.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 1, relationship.maxCount != .max { facts.append("at most \(relationship.maxCount)") }
    facts.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
    facts.append("delete rule \(relationship.deleteRule.name)")
    if relationship.isTransient { facts.append("not stored") }
    return facts.map { SwiftLiteral.comment($0) }
  }

  /// The type and the default value after the colon.
  var typeAndDefault: String {
    if let storedType {
      if relationship.isToMany { return "ObjectLinks<\(storedType)> = ObjectLinks()" }
      return relationship.isOptional || !isKept ? "ObjectID<\(storedType)>?" : "ObjectID<\(storedType)>"
    }
    if isStored, !relationship.isToMany { return "Int64?" }
    guard relationship.isToMany else { return relationship.isOptional ? "\(identifier)?" : identifier }
    return relationship.isOrdered ? "[\(identifier)] = []" : "Set<\(identifier)> = []"
  }

  var isKept: Bool { storedType != nil && !relationship.isTransient }
}
