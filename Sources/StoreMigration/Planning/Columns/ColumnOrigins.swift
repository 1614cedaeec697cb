import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// The origin of a destination column's values, for the rows of a single entity.
struct ColumnOrigin: Hashable {
  /// The value's beginning.
  enum Base: Hashable {
    /// The column has no meaning for these rows, or starts empty.
    case nothing
    /// One value for every row.
    case constant(SQLValue)
    /// A column of the same row in the source table.
    case column(String)
    /// Links that are written when all rows are in place.
    case later
  }

  /// The conversion of the value.
  enum Conversion: Hashable {
    /// A step of the mapping.
    case attribute(AttributeMapping.Step)
    /// An entity number of the source becomes that of the destination.
    case entityNumber([Int: Int])
    /// Any value becomes this number.
    case presence(Int)
    /// A number becomes one of half the size, which it would be read as anyway.
    case roundedToSingle
  }

  var base: Base
  var conversions: [Conversion] = []

  static let nothing = ColumnOrigin(base: .nothing)
  static let later = ColumnOrigin(base: .later)

  /// The value as SQL over the source columns, each named by the closure.
  func expression(naming columnName: (String) -> String = { $0 }) -> SQLStatement {
    value(writing: { "\(name: columnName($0))" })
  }

  /// The same, each column written by the closure.
  func value(writing column: (String) -> SQLStatement) -> SQLStatement {
    let start: SQLStatement =
      switch base {
      case .nothing, .later: "NULL"
      case .constant(let value): "\(value)"
      case .column(let name): column(name)
      }
    return conversions.reduce(start) { value, conversion in
      switch conversion {
      case .attribute(let step): step.applied(to: value)
      case .presence(let number): "CASE WHEN \(value) IS NOT NULL THEN \(.number(number)) END"
      case .roundedToSingle: "modelctl_single(\(value))"
      case .entityNumber(let numbers): Self.renumbered(value, numbers)
      }
    }
  }

  /// A number translated by a table; numbers outside it stay.
  static func renumbered(_ value: SQLStatement, _ numbers: [Int: Int]) -> SQLStatement {
    let changes = numbers.filter { $0.key != $0.value }.sorted { $0.key < $1.key }
    guard !changes.isEmpty else { return value }
    let cases = changes.map { "WHEN \(.number($0.key)) THEN \(.number($0.value))" as SQLStatement }
    return "CASE \(value) \(cases.joined(" ")) ELSE \(value) END"
  }
}

extension PlanningContext {
  /// The origin of a column of a destination entity table, for the rows of a single entity.
  func origin(of column: SQLColumn, for entity: String) -> ColumnOrigin {
    switch column.role {
    case .primaryKey: ColumnOrigin(base: .column("Z_PK"))
    case .optimisticLock: ColumnOrigin(base: .column("Z_OPT"))
    case .entityNumber: renumbered("Z_ENT", family: mapping(of: entity)?.source)
    case .attribute(let address): attributeOrigin(address, for: entity)
    case .toOne(let address): toOneOrigin(address, for: entity)
    case .toOneEntity(let address): toOneEntityOrigin(address, for: entity)
    case .toOneOrder(let address): toOneOrderOrigin(address, for: entity)
    case .toManyOwner(let address): toManyOwnerOrigin(address, for: entity)
    case .toManyOwnerOrder(let address): toManyOwnerOrderOrigin(address, for: entity)
    case .joinSource, .joinDestination, .joinSourceOrder, .joinDestinationOrder: .nothing
    }
  }

  /// A column of entity numbers of a single source hierarchy.
  private func renumbered(_ column: String, family entity: String?) -> ColumnOrigin {
    let numbers = entity.map { source.familyNumbers(of: source.hierarchy.rootName(of: $0)) } ?? []
    let changes = renumbering.filter { $0.key != $0.value && numbers.contains($0.key) }
    return ColumnOrigin(base: .column(column), conversions: changes.isEmpty ? [] : [.entityNumber(changes)])
  }

  private func attributeOrigin(_ address: PropertyAddress, for entity: String) -> ColumnOrigin {
    guard let mapping = mapping(of: entity), let sourceEntity = mapping.source,
      destination.address(ofAttribute: address.property, in: entity) == address,
      let attribute = mapping.attribute(address.property)
    else { return .nothing }
    switch attribute.origin {
    case .source(let path):
      return copy(
        ofAttribute: path, of: sourceEntity, after: attribute.steps,
        rounding: allowsConverting(address.property, of: entity))
    case .constant(let value): return ColumnOrigin(constant: value, steps: attribute.steps.filter(\.changesStoredValue))
    case .derived: return .later
    }
  }

  /// The column of a source attribute and what happens to its values.
  private func copy(
    ofAttribute path: String, of entity: String, after steps: [AttributeMapping.Step], rounding rounds: Bool
  ) -> ColumnOrigin {
    guard let place = source.address(ofAttribute: path, in: entity).flatMap({ source.place(.attribute($0)) }) else {
      return .nothing
    }
    return ColumnOrigin(
      base: .column(place.column.name), conversions: steps.flatMap { $0.conversions(rounding: rounds) })
  }

  /// The origin of a value that a custom mapping leaves to inference and that changes its type; nil for other values.
  func converted(_ path: String, of entity: MappedEntity) -> ColumnOrigin? {
    guard entity.replacedAttributes[path] == nil, let attribute = entity.mapping.attribute(path),
      !attribute.conversions.isEmpty, case .source(let sourcePath) = attribute.origin
    else { return nil }
    return copy(
      ofAttribute: sourcePath, of: entity.source, after: attribute.steps, rounding: allowsConverting(path, of: entity))
  }

  private func toOneOrigin(_ address: PropertyAddress, for entity: String) -> ColumnOrigin {
    guard mapping(of: entity)?.source != nil,
      destination.address(ofRelationship: address.property, in: entity) == address
    else { return .nothing }
    guard let sourceAddress = sourceRelationship(of: address.property, in: entity) else {
      return linkSources(of: address).isEmpty ? .nothing : .later
    }
    if case .column(_, let column) = source.linkStorage(of: sourceAddress), limits(of: address).isEmpty {
      return ColumnOrigin(base: .column(column))
    }
    return .later
  }

  private func toOneEntityOrigin(_ address: PropertyAddress, for entity: String) -> ColumnOrigin {
    let link = toOneOrigin(address, for: entity)
    guard case .column(let column) = link.base else { return link }
    guard let sourceAddress = sourceRelationship(of: address.property, in: entity) else { return .nothing }
    let target = source.relationship(sourceAddress)?.destinationEntityName
    if let place = source.place(.toOneEntity(sourceAddress)) { return renumbered(place.column.name, family: target) }
    guard let number = target.flatMap(source.number(of:)).flatMap({ renumbering[$0] }) else { return .nothing }
    return ColumnOrigin(base: .column(column), conversions: [.presence(number)])
  }

  private func toOneOrderOrigin(_ address: PropertyAddress, for entity: String) -> ColumnOrigin {
    let link = toOneOrigin(address, for: entity)
    guard case .column = link.base else { return link }
    guard let sourceAddress = sourceRelationship(of: address.property, in: entity),
      let place = source.place(.toOneOrder(sourceAddress)),
      let inverse = destination.inverse(of: address), !losesOrder(inverse)
    else { return .later }
    return ColumnOrigin(base: .column(place.column.name))
  }

  private func toManyOwnerOrigin(_ address: PropertyAddress, for entity: String) -> ColumnOrigin {
    guard let target = destination.relationship(address)?.destinationEntityName,
      destination.hierarchy.isEntity(entity, kindOf: target), let sourceEntity = mapping(of: entity)?.source
    else { return .nothing }
    let links = linkSources(of: address)
    guard !links.isEmpty else { return .nothing }
    if links.count == 1, let link = links.first, link.isForward, limits(of: address).isEmpty,
      let place = source.place(.toManyOwner(link.address)),
      place.table.name == source.table(ofEntity: sourceEntity)?.name
    {
      return ColumnOrigin(base: .column(place.column.name))
    }
    return .later
  }

  private func toManyOwnerOrderOrigin(_ address: PropertyAddress, for entity: String) -> ColumnOrigin {
    let link = toManyOwnerOrigin(address, for: entity)
    guard case .column = link.base else { return link }
    guard !losesOrder(address), let sourceLink = linkSources(of: address).first,
      let place = source.place(.toManyOwnerOrder(sourceLink.address))
    else { return .later }
    return ColumnOrigin(base: .column(place.column.name))
  }
}

extension AttributeMapping.Step {
  /// The conversions of a stored value; if changes are allowed, a number is also rounded to the type that reads it.
  fileprivate func conversions(rounding rounds: Bool) -> [ColumnOrigin.Conversion] {
    let conversions: [ColumnOrigin.Conversion] = changesStoredValue ? [.attribute(self)] : []
    guard rounds, case .convert(_, to: .float) = self else { return conversions }
    return conversions + [.roundedToSingle]
  }
}

extension ColumnOrigin {
  /// A constant after the steps of a mapping; without a value only a replacement of nil gives one.
  init(constant value: AttributeValue?, steps: [AttributeMapping.Step]) {
    var value = value
    var remaining = steps[...]
    while value == nil, let step = remaining.popFirst() {
      if case .replaceNil(let replacement) = step { value = replacement }
    }
    guard let value else {
      self = .nothing
      return
    }
    self.init(base: .constant(SQLValue(value)), conversions: remaining.map { .attribute($0) })
  }
}

/// The key paths whose values a mapping carries over from the source object.
struct CarriedPaths {
  private var paths: Set<[String]> = []

  /// Adds the paths whose values an expression may give; what it merely compares or counts is not carried by it.
  mutating func add(_ expression: ValueExpression) {
    switch expression {
    case .comparison: return
    case .conditional(_, then: let value, else: let other):
      add(value)
      add(other)
    case .keyPath(let path, of: let object) where object == .selfObject || object == .variable("source"):
      if !path.contains("@count") { paths.insert(path) }
    default:
      for part in expression.parts { add(part) }
    }
  }

  /// Adds the paths whose values a property may get.
  mutating func add(_ value: PropertyMapping.Value) {
    if case .sql(let text) = value { add(sql: text) }
    if let expression = value.expression { add(expression) }
  }

  /// Adds the paths that SQL puts values of in place; SQL that cannot be taken apart is refused elsewhere.
  mutating func add(sql: String) {
    guard let snippet = try? SQLSnippet(sql) else { return }
    for case .source(let path) in snippet.parts where !path.isEmpty && !path.contains("@count") { paths.insert(path) }
  }

  mutating func formUnion(_ other: CarriedPaths) { paths.formUnion(other.paths) }

  /// The properties of the source object that paths begin with.
  var properties: Set<String> { Set(paths.compactMap(\.first)) }

  /// True if the values of an attribute, or of an element of a composite one, are among what is carried.
  func hasAttribute(_ path: [String]) -> Bool { paths.contains { $0.starts(with: path) || path.starts(with: $0) } }

  /// The properties of the source object to whose own values a path leads, and no further.
  var wholeProperties: Set<String> { Set(paths.filter { $0.count == 1 }.compactMap(\.first)) }
}
