import Foundation
import MigrationSQL
import ModelDescription
import StoreRows

/// Validates an object by the rules of the model, as Core Data does before it saves a new or changed object.
struct RecordValidation {
  let entity: SavingModel.Entity
  let object: RecordID
  let isNew: Bool
  let expressions: RegularExpressions
  /// The saved values of attributes without a type, by their paths.
  let untyped: [String: RecordValue]
  private(set) var blockers: [SaveBlocker] = []

  init(
    _ entity: SavingModel.Entity, _ object: RecordID, isNew: Bool, expressions: RegularExpressions,
    untyped: [[String]: RecordValue] = [:]
  ) {
    (self.entity, self.object, self.isNew, self.expressions) = (entity, object, isNew, expressions)
    self.untyped = Dictionary(untyped.map { ($0.key.joined(separator: "."), $0.value) }) { first, _ in first }
  }

  private mutating func report(_ kind: SaveBlocker.Kind, _ property: String?, _ type: AttributeType? = nil) {
    blockers.append(SaveBlocker(kind, object, isNew: isNew, property: property, type: type))
  }

  // MARK: Attributes

  /// Validates the value of an attribute, or of an element of a composite attribute, by its path.
  ///
  /// - Parameter isChanged: false for an unchanged value in the store, which another program may have written.
  mutating func check(_ attribute: AttributeDescription, _ value: RecordValue, path: String, isChanged: Bool = true) {
    switch (value, attribute.type) {
    case (.null, _):
      if !attribute.isOptional { report(.missing, path, attribute.type) }
    case (.composite(let values), .composite):
      let names = Set(attribute.elements.map(\.name))
      for name in values.keys.sorted() where !names.contains(name) {
        report(.wrongType(expected: "nothing"), "\(path).\(name)")
      }
      for element in attribute.elements {
        check(element, values[element.name] ?? .null, path: "\(path).\(element.name)", isChanged: isChanged)
      }
    case (.transformed, .transformable), (.external, .binary), (.external, .transformable): break
    case (.attribute, .undefined) where untyped[path] == value: break
    case (.attribute(let value), let type): check(value, type, attribute.validation, path, isChanged)
    default: report(.wrongType(expected: attribute.type.name), path)
    }
  }

  private mutating func check(
    _ value: AttributeValue, _ type: AttributeType, _ rules: AttributeValidation, _ path: String, _ isChanged: Bool
  ) {
    switch (value, type) {
    case (.integer(let number), .integer16): checkWidth(number, Int64(Int16.min), Int64(Int16.max), path)
    case (.integer(let number), .integer32): checkWidth(number, Int64(Int32.min), Int64(Int32.max), path)
    case (.double(let number), .double):
      if number.isNaN { return report(.notNumber, path) }
    case (.double(let number), .float):
      if number.isNaN { return report(.notNumber, path) }
      if isChanged { checkRange(number, path) }
    case (.date(let moment), .date):
      if !moment.isFinite { return report(.notMoment, path) }
    case (.string(let text), .string): return checkText(text, rules, path)
    case (.uri(let text), .uri):
      if URL(string: text) == nil { report(.notURI, path) }
      return
    case (.integer, .integer64), (.decimal, .decimal), (.boolean, .boolean), (.binary, .binary), (.uuid, .uuid): break
    default: return report(.wrongType(expected: type.name), path)
    }
    if let limit = rules.maximum, Self.isLess(limit, value) { report(.above(limit: limit), path, type) }
    if let limit = rules.minimum, Self.isLess(value, limit) { report(.below(limit: limit), path, type) }
  }

  private mutating func checkWidth(_ number: Int64, _ least: Int64, _ greatest: Int64, _ path: String) {
    if number > greatest { report(.above(limit: .integer(greatest)), path) }
    if number < least { report(.below(limit: .integer(least)), path) }
  }

  /// Checks that a number fits 32 bits: the nearest number must be finite, unless the number is infinity.
  private mutating func checkRange(_ number: Double, _ path: String) {
    guard number.isFinite, !Float(number).isFinite else { return }
    let limit = Double(Float.greatestFiniteMagnitude)
    if number > 0 { report(.above(limit: .double(limit)), path) } else { report(.below(limit: .double(-limit)), path) }
  }

  /// A text's length is counted as `NSString` counts it, in UTF-16 units.
  private mutating func checkText(_ text: String, _ rules: AttributeValidation, _ path: String) {
    let length = AttributeValue.integer(Int64(text.utf16.count))
    if let limit = rules.maximum, Self.isLess(limit, length) { report(.above(limit: limit), path, .string) }
    if let limit = rules.minimum, Self.isLess(length, limit) { report(.below(limit: limit), path, .string) }
    if let pattern = rules.regularExpression, !expressions.matchesWhole(text, pattern) {
      report(.noMatch(pattern: pattern), path)
    }
  }

  private static func isLess(_ first: AttributeValue, _ second: AttributeValue) -> Bool {
    switch (first, second) {
    case (.integer(let first), .integer(let second)): return first < second
    default:
      guard let first = first.exactNumber, let second = second.exactNumber else {
        guard let first = first.number, let second = second.number else { return false }
        return first < second
      }
      return first < second
    }
  }

  // MARK: Relationships

  mutating func check(_ relation: SavingModel.Relation, toOne value: RecordValue) {
    switch value {
    case .null: if relation.description.counts.isTooFew(0) { report(.missing, relation.name) }
    case .object: break
    default: report(.wrongType(expected: "an object"), relation.name)
    }
  }

  mutating func check(_ relation: SavingModel.Relation, count: Int) {
    let rules = relation.description.counts
    if rules.isTooFew(count) { report(.tooFew(count: count, minimum: rules.least), relation.name) }
    if let most = rules.most, rules.isTooMany(count) { report(.tooMany(count: count, maximum: most), relation.name) }
  }
}

extension AttributeValue {
  fileprivate var exactNumber: Decimal? {
    switch self {
    case .integer(let number): Decimal(number)
    case .decimal(let number): number.isNaN ? nil : number
    default: nil
    }
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    case .double(let number), .date(let number): number
    default: nil
    }
  }
}
