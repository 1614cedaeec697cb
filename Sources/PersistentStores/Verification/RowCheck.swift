import ModelDescription

/// A condition that no row of a table may meet.
struct RowCheck: Sendable {
  /// The condition in SQL over the table's alias `t`, its values left out.
  let condition: String
  /// The values of the condition's parameters.
  let arguments: [Int64]
  let kind: StoreFinding.Kind
  var severity: StoreFinding.Severity = .error
  let entity: String
  var property: String?
  let columns: Set<String>
  let sentence: String
  /// The checks of the rows that meet the condition; their findings replace the finding of this check.
  var parts: [RowCheck] = []
}

/// The checks of the rows that one column refers to.
struct ReferenceChecks {
  let column: String
  /// The column of the entity number next to it.
  var companion: String?
  /// The table that is referred to.
  let target: String
  /// The columns of that table, except its key, that the result depends on.
  var targetColumns: Set<String> = []
  /// A condition that is true for every reference without a finding: one lookup instead of one for each check.
  var soundness: String
  var arguments: [Int64] = []
  var checks: [RowCheck]
}

/// The checks of a single table, and the column that names its rows.
struct TableChecks {
  let table: String
  /// `Z_PK`, or in a join table the column that refers to the relationship's owner.
  let keyColumn: String
  var checks: [RowCheck]
  /// The checks of its references.
  var references: [ReferenceChecks]
}

/// Checks composite values as a save does, level by level: a required value needs an element, and an existing value
/// needs every required element.
///
/// In a row, a composite value that is nil is the same as a value whose elements are all nil.
struct CompositeChecks {
  let entity: String
  /// The numbers of the entities whose rows are checked.
  let numbers: [Int64]
  let columns: [String: String]

  /// A value in a composite attribute, or the attribute's own value.
  private typealias Leaf = (attribute: AttributeDescription, path: String)

  func checks(of attribute: AttributeDescription) -> [RowCheck] {
    let place: Leaf = (attribute, attribute.name)
    guard !attribute.isOptional, !names(of: place).isEmpty else { return wholeness(of: place) }
    return [check(place, judged("NOT \(isThere(place))"), numbers)] + wholeness(of: place)
  }

  /// One check for each composite value, with its elements as parts: the columns are then listed once, and not once for
  /// each element.
  private func wholeness(of composite: Leaf) -> [RowCheck] {
    let elements = composite.attribute.elements.map { (attribute: $0, path: "\(composite.path).\($0.name)") }
      .filter { !names(of: $0).isEmpty }
    let deeper = elements.flatMap { wholeness(of: $0) }
    let parts = elements.filter { !$0.attribute.isOptional }.map { check($0, "NOT \(isThere($0))", []) }
    guard !parts.isEmpty else { return deeper }
    var whole = check(composite, judged("\(isThere(composite)) AND \(Self.oneOf(parts.map(\.condition)))"), numbers)
    whole.parts = parts
    return [whole] + deeper
  }

  private func check(_ place: Leaf, _ condition: String, _ arguments: [Int64]) -> RowCheck {
    RowCheck(
      condition: condition, arguments: arguments, kind: .missingValue, severity: .warning, entity: entity,
      property: place.path, columns: Set(names(of: place) + ["Z_ENT"]), sentence: "the mandatory value is missing")
  }

  private func judged(_ condition: String) -> String { "\(condition) AND t.Z_ENT IN (\(RowCheckPlan.marks(numbers)))" }

  private func isThere(_ place: Leaf) -> String {
    Self.oneOf(names(of: place).map { "t.\(SQLIdentifier($0)) IS NOT NULL" })
  }

  private func names(of place: Leaf) -> [String] {
    guard place.attribute.type == .composite else { return [columns[place.path]].compactMap { $0 } }
    return place.attribute.elements.flatMap { names(of: ($0, "\(place.path).\($0.name)")) }
  }

  /// True if one of the conditions is true.
  ///
  /// A chain of OR would nest one level for each condition, which SQLite limits.
  private static func oneOf(_ conditions: [String]) -> String { "1 IN (\(conditions.joined(separator: ", ")))" }
}

/// A check of a value that has its column's storage class but may not be valid for its attribute.
enum ValueDemand: CaseIterable {
  case integer16
  case integer32
  /// Sixteen bytes.
  case uuid
  /// Bytes with a marker, which means either data or the name of a file.
  case marked

  /// The check of an attribute's values; nil if the column's type is enough.
  init?(_ attribute: AttributeDescription) {
    switch attribute.type {
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .uuid: self = .uuid
    case .binary, .transformable:
      guard attribute.allowsExternalBinaryDataStorage else { return nil }
      self = .marked
    default: return nil
    }
  }

  /// The conditions for invalid values; a value of a different storage class meets none of them.
  ///
  /// - Returns: conditions in SQL, each with its finding.
  func breaches(by value: String) -> [(condition: String, sentence: String)] {
    switch self {
    case .integer16: [Self.beyond(Int64(Int16.min)...Int64(Int16.max), .integer16, value)]
    case .integer32: [Self.beyond(Int64(Int32.min)...Int64(Int32.max), .integer32, value)]
    case .uuid: [("\(value) >= x'' AND length(\(value)) <> 16", "the value does not have the 16 bytes of a UUID")]
    // Names are checked only by their length. A value with this length that names no file is valid data.
    case .marked:
      [
        (
          "\(value) >= x'' AND (\(value) < x'01' OR \(value) >= x'03')",
          "the bytes do not begin with a marker of external storage"
        ),
        (
          "\(value) >= x'02' AND \(value) < x'03' AND length(\(value)) <> 38",
          "the bytes are marked as the name of a file of external data, but are not a valid name"
        ),
      ]
    }
  }

  private static func beyond(
    _ bounds: ClosedRange<Int64>, _ type: AttributeType, _ value: String
  ) -> (condition: String, sentence: String) {
    (
      "(\(value) < \(bounds.lowerBound) OR \(value) > \(bounds.upperBound)) AND typeof(\(value)) = 'integer'",
      "the number does not fit an attribute of type \(type.name)"
    )
  }
}
