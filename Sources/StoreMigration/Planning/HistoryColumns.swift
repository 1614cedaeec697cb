import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Lets the changes in persistent history go on to name the properties that they named, and keep the values that deletions
/// left; to run before the entities there get their new numbers.
struct HistoryColumns {
  private static let table = "ACHANGE"
  private let context: PlanningContext
  private(set) var steps: [PlanStep] = []

  /// An entity of the source whose changes are those of an entity of the destination in the end.
  private struct Continued {
    let number: Int
    let source: String
    let destination: String
    /// The properties of the source whose values each property of the destination gets.
    let origins: [String: Set<String>]
    /// What inference says about attributes, by name.
    let inferred: [String: AttributeMapping]
  }

  init(_ context: PlanningContext) {
    self.context = context
    guard let table = context.snapshot.tables.first(where: { $0.name == Self.table }) else { return }
    let columns = Set(table.columns.map(\.name))
    let entities = context.mayHaveRows(inTable: Self.table) ? continued() : []
    if columns.contains("ZCOLUMNS") { moveBits(of: entities) }
    if columns.contains("ZENTITY") { moveTombstones(of: entities, columns) }
  }

  private func continued() -> [Continued] {
    context.source.layout.entityNumbers.compactMap { entity in
      guard let destination = context.destinationName(of: entity.name) else { return nil }
      let mapping = mapping(from: entity.name, to: destination)
      var carried: [String: CarriedPaths] = [:]
      var inferred: [String: AttributeMapping] = [:]
      for property in mapping?.propertyMappings ?? [] {
        let name = Self.property(of: property.name)
        carried[name, default: CarriedPaths()].add(property.value)
        if case .attribute(let attribute) = property.value, name == property.name { inferred[name] = attribute }
      }
      return Continued(
        number: entity.number, source: entity.name, destination: destination,
        origins: carried.mapValues(\.properties), inferred: inferred)
    }
  }

  private func mapping(from source: String, to destination: String) -> EntityMapping? {
    let written = context.entities(reading: source).first { $0.destination == destination && $0.keepsKeys }
    return written?.mapping ?? context.mapping(of: destination)
  }

  /// The property that a path begins with.
  private static func property(of path: String) -> String {
    path.split(separator: ".", maxSplits: 1).first.map(String.init) ?? path
  }

  // MARK: The properties that updates changed

  private mutating func moveBits(of entities: [Continued]) {
    var (old, new) = (HistoryBitmaps(context.source.hierarchy), HistoryBitmaps(context.destination.hierarchy))
    let byDestination = Dictionary(entities.map { ($0.destination, $0) }) { first, _ in first }
    var moves: [(number: Int, places: HistoryPlaces)] = []
    for entity in entities {
      let bits = old.bitmap(of: entity.source).bits
      let known = Dictionary(bits.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
      let places = new.bitmap(of: entity.destination).bits.map { bit in
        origins(of: bit, in: entity, byDestination).compactMap { known[$0] }.sorted()
      }
      let move = HistoryPlaces(places: places)
      if !move.isSame(for: bits.count) { moves.append((entity.number, move)) }
    }
    guard !moves.isEmpty else { return }
    let cases = moves.map { "WHEN \(.number($0.number)) THEN \(.text($0.places.description))" as SQLStatement }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: Self.table) SET \(name: "ZCOLUMNS") = modelctl_history_columns(\(name: "ZCOLUMNS"), \
        CASE \(name: "ZENTITY") \(cases.joined(" ")) END) \
        WHERE \(name: "ZENTITY") IN (\(.list(moves.map(\.number)))) AND \(name: "ZCOLUMNS") IS NOT NULL
        """, cause: .historyColumns, rows: context.rowCount(ofTable: Self.table),
        writing: .columns(["ZCOLUMNS"], of: Self.table)))
  }

  /// What stood for a bit of the destination in the source.
  private func origins(
    of bit: HistoryBitmap.Bit, in entity: Continued, _ byDestination: [String: Continued]
  ) -> [HistoryBitmap.Bit] {
    switch bit {
    case .property(let name): return (entity.origins[name] ?? []).map(HistoryBitmap.Bit.property)
    case .incoming(let address):
      guard let owner = byDestination[address.entity] else { return [] }
      return (owner.origins[address.property] ?? []).compactMap {
        context.source.address(ofRelationship: $0, in: owner.source).map(HistoryBitmap.Bit.incoming)
      }
    }
  }

  // MARK: The values that deletions left

  private mutating func moveTombstones(of entities: [Continued], _ columns: Set<String>) {
    let hierarchy = context.destination.hierarchy
    let needed = hierarchy.model.entities.map { hierarchy.attributesKeptAfterDeletion(of: $0.name).count }.max() ?? 0
    let all = (0..<needed).map(Self.column)
    for name in all where !columns.contains(name) {
      steps.append(
        PlanStep("ALTER TABLE \(name: Self.table) ADD COLUMN \(name: name) BLOB", cause: .historyTombstones))
    }
    let present = (0...).lazy.map(Self.column).prefix { columns.contains($0) || all.contains($0) }
    let moves = entities.compactMap { entity in values(of: entity, columns).map { (entity.number, $0) } }
    guard !moves.isEmpty else { return }
    let written = Array(present)
    let assignments = written.enumerated().map { position, column -> SQLStatement in
      let cases = moves.map { number, values -> SQLStatement in
        "WHEN \(.number(number)) THEN \(position < values.count ? values[position] : "NULL")"
      }
      return "\(name: column) = CASE \(name: "ZENTITY") \(cases.joined(" ")) END"
    }
    steps.append(
      PlanStep(
        """
        UPDATE \(name: Self.table) SET \(assignments.joined()) \
        WHERE \(name: "ZENTITY") IN (\(.list(moves.map(\.0)))) AND \(name: "ZCHANGETYPE") = 2
        """, cause: .historyTombstones, rows: context.rowCount(ofTable: Self.table),
        writing: .columns(written, of: Self.table)))
  }

  private static func column(_ position: Int) -> String { "ZTOMBSTONE\(position)" }

  /// The values of an entity's deletions in the order of the destination, nil where they are as they were.
  private func values(of entity: Continued, _ columns: Set<String>) -> [SQLStatement]? {
    let old = context.source.hierarchy.attributesKeptAfterDeletion(of: entity.source)
    let new = context.destination.hierarchy.attributesKeptAfterDeletion(of: entity.destination)
    var isSame = old.count <= new.count
    let values = new.enumerated().map { position, attribute -> SQLStatement in
      let origins = entity.origins[attribute.name] ?? []
      guard origins.count == 1, let place = old.firstIndex(where: { origins.contains($0.name) }),
        columns.contains(Self.column(place))
      else {
        if position < old.count { isSame = false }
        return "NULL"
      }
      let conversions = conversions(of: attribute, from: old[place], in: entity)
      if place != position || !(conversions?.isEmpty ?? false) { isSame = false }
      let value: SQLStatement = "\(name: Self.column(place))"
      return conversions.map { $0.reduce(value) { $1.applied(to: $0) } } ?? "NULL"
    }
    return isSame ? nil : values
  }

  /// What makes a value of the new type of one of the old; nil where nothing does.
  private func conversions(
    of attribute: AttributeDescription, from old: AttributeDescription, in entity: Continued
  ) -> [AttributeMapping.Step]? {
    guard attribute.type != old.type else { return [] }
    return entity.inferred[attribute.name]?.steps.filter { if case .convert = $0 { true } else { false } }
  }
}

/// The places that bits had which come to stand in others.
private struct HistoryPlaces: CustomStringConvertible {
  /// For each bit the places of those of which it is set when one is.
  let places: [[Int]]

  /// True when as many bits stand for what they stood for, so that nothing is to be written.
  func isSame(for count: Int) -> Bool {
    places.count >= count
      && places.enumerated().allSatisfy { position, origins in
        origins == (position < count ? [position] : [])
      }
  }

  /// The form that the SQL function takes: bits are separated by commas, places by plus signs.
  var description: String {
    places.map { $0.map(String.init).joined(separator: "+") }.joined(separator: ",")
  }
}
