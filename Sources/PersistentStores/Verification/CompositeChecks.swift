import ModelDescription

/// Asks of composite values what a save asks of them, level by level: one that must be there has an element that is
/// there, and one that is there has every element that must be.
///
/// The row looks the same for a composite value that is nil and for one whose elements all are.
struct CompositeChecks {
  /// The entity that declares the attribute.
  let entity: String
  /// The numbers of the entities whose rows are judged.
  let numbers: [Int64]
  /// The columns of the elements, by path.
  let columns: [String: String]

  /// A value in a composite one, or the attribute's own.
  private typealias Place = (attribute: AttributeDescription, path: String)

  /// The checks of a composite attribute.
  func checks(of attribute: AttributeDescription) -> [RowCheck] {
    let place: Place = (attribute, attribute.name)
    guard !attribute.isOptional, !names(of: place).isEmpty else { return wholeness(of: place) }
    return [check(place, judged("NOT \(isThere(place))"), numbers)] + wholeness(of: place)
  }

  /// One check for each composite value, with its elements as parts: the columns are then listed once, and not once for
  /// each element.
  private func wholeness(of composite: Place) -> [RowCheck] {
    let elements = composite.attribute.elements.map { (attribute: $0, path: "\(composite.path).\($0.name)") }
      .filter { !names(of: $0).isEmpty }
    let deeper = elements.flatMap { wholeness(of: $0) }
    let parts = elements.filter { !$0.attribute.isOptional }.map { check($0, "NOT \(isThere($0))", []) }
    guard !parts.isEmpty else { return deeper }
    var whole = check(composite, judged("\(isThere(composite)) AND \(Self.oneOf(parts.map(\.condition)))"), numbers)
    whole.parts = parts
    return [whole] + deeper
  }

  private func check(_ place: Place, _ condition: String, _ arguments: [Int64]) -> RowCheck {
    RowCheck(
      condition: condition, arguments: arguments, kind: .missingValue, severity: .warning, entity: entity,
      property: place.path, columns: Set(names(of: place) + ["Z_ENT"]), sentence: "the mandatory value is missing")
  }

  private func judged(_ condition: String) -> String {
    "\(condition) AND t.Z_ENT IN (\(RowCheckPlan.marks(numbers)))"
  }

  private func isThere(_ place: Place) -> String {
    Self.oneOf(names(of: place).map { "t.\(SQLIdentifier($0)) IS NOT NULL" })
  }

  /// The columns of a value.
  private func names(of place: Place) -> [String] {
    guard place.attribute.type == .composite else { return [columns[place.path]].compactMap { $0 } }
    return place.attribute.elements.flatMap { names(of: ($0, "\(place.path).\($0.name)")) }
  }

  /// True where one of the conditions is; a chain of OR would nest deeper with each, which SQLite limits.
  private static func oneOf(_ conditions: [String]) -> String { "1 IN (\(conditions.joined(separator: ", ")))" }
}
