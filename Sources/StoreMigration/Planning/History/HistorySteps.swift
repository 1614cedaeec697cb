import MappingModels
import MigrationSQL
import ModelComparison
import ModelDescription
import PersistentStores

/// Lets persistent history go on to name the properties that updates changed, and to keep the values that deletions left; to
/// run before the entities there get their new numbers.
struct HistorySteps {
  static let table = "ACHANGE"
  private(set) var steps: [PlanStep] = []

  init(_ context: PlanningContext) {
    guard let table = context.snapshot.tables.first(where: { $0.name == Self.table }) else { return }
    let columns = Set(table.columns.map { $0.name.uppercased() })
    let mapped = MappedHistory.all(in: context)
    if columns.isSuperset(of: ["ZENTITY", "ZCOLUMNS"]), context.mayHaveRows(inTable: Self.table) {
      var bits = MovedBits(mapped, in: context)
      steps += bits.steps()
    }
    if columns.isSuperset(of: ["ZENTITY", "ZCHANGETYPE"]) {
      steps += Tombstones(mapped, columns, in: context).steps()
    }
  }
}

/// Moves the values that deletions left in persistent history to where the destination has those of the same attributes.
struct Tombstones {
  private let context: PlanningContext
  private let mapped: [MappedHistory]
  /// The number of columns for values.
  private let known: Int

  init(_ mapped: [MappedHistory], _ columns: Set<String>, in context: PlanningContext) {
    (self.mapped, self.context) = (mapped, context)
    known = (0...).prefix { columns.contains(Self.column($0)) }.count
  }

  private static func column(_ position: Int) -> String { "ZTOMBSTONE\(position)" }

  /// The settings that decide which values are kept, and how.
  private static let aspects: Set<Aspect> = [.type, .preservedInHistory]

  func steps() -> [PlanStep] {
    let hierarchy = context.destination.hierarchy
    let counts = hierarchy.model.entities.map { ($0.name, hierarchy.attributesKeptAfterDeletion(of: $0.name).count) }
    let columnCount = max(known, counts.map(\.1).max() ?? 0)
    let added = (known..<columnCount).map { position in
      PlanStep(
        "ALTER TABLE \(name: HistorySteps.table) ADD COLUMN \(name: Self.column(position)) BLOB",
        cause: .tombstoneColumnAdded
      ).about(subject(of: counts.filter { $0.1 > position }.map(\.0)), Self.aspects)
    }
    guard context.mayHaveRows(inTable: HistorySteps.table) else { return added }
    var moves: [(number: Int, values: [SQLStatement?])] = []
    var names: Set<String> = []
    for entity in mapped {
      guard let number = entity.number, let values = values(of: entity) else { continue }
      moves.append((number, values))
      names.formUnion([entity.source, entity.destination])
    }
    guard !moves.isEmpty else { return added }
    let assignments = (0..<columnCount).map { position -> SQLStatement in
      let cases = moves.compactMap { number, values -> SQLStatement? in
        guard position < values.count, let value = values[position] else { return nil }
        return "WHEN \(.number(number)) THEN \(value)"
      }
      let value: SQLStatement = cases.isEmpty ? "NULL" : "CASE \(name: "ZENTITY") \(cases.joined(" ")) END"
      return "\(name: Self.column(position)) = \(value)"
    }
    let moving = PlanStep(
      """
      UPDATE \(name: HistorySteps.table) SET \(assignments.joined()) \
      WHERE \(name: "ZENTITY") IN (\(.list(moves.map(\.number)))) AND \(name: "ZCHANGETYPE") = 2
      """, cause: .historyTombstones, rows: context.rowCount(ofTable: HistorySteps.table), writing: .history)
    return added + [moving.about(subject(of: names), Self.aspects)]
  }

  private func subject(of entities: some Sequence<String>) -> Set<ModelElement> {
    entities.reduce(into: []) { $0.formUnion(context.subject(ofTombstones: $1)) }
  }

  /// The values of an entity's deletions in the order of the destination, nil if all stay as they are.
  private func values(of entity: MappedHistory) -> [SQLStatement?]? {
    let old = context.source.hierarchy.attributesKeptAfterDeletion(of: entity.source).prefix(known)
    let new = context.destination.hierarchy.attributesKeptAfterDeletion(of: entity.destination)
    let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element.name, $0.offset) })
    var isSame = old.count <= new.count
    let values = new.enumerated().map { position, attribute -> SQLStatement? in
      guard let copy = entity.copies[attribute.name], let place = places[copy.attribute],
        let conversions = conversions(of: copy, from: old[place], to: attribute)
      else {
        if position < old.count { isSame = false }
        return nil
      }
      if place != position || !conversions.isEmpty { isSame = false }
      return conversions.reduce("\(name: Self.column(place))") { $1.applied(to: $0) }
    }
    return isSame ? nil : values
  }

  /// The conversions to the destination's type; nil for data that may be in a file, because history keeps no files.
  private func conversions(
    of copy: MappedHistory.Copy, from old: AttributeDescription, to new: AttributeDescription
  ) -> [AttributeMapping.Step]? {
    guard !old.allowsExternalBinaryDataStorage, !new.allowsExternalBinaryDataStorage else { return nil }
    let steps = copy.conversions ?? (old.type == new.type ? [] : [.convert(from: old.type, to: new.type)])
    return steps.filter(\.changesStoredValue)
  }
}

/// Moves the bits of updates in persistent history to where the destination has those of the same properties.
struct MovedBits {
  private let context: PlanningContext
  private let mapped: [MappedHistory]
  /// The source of each destination entity.
  private let owners: [String: [MappedHistory]]
  private var farEnds: [PropertyAddress: Set<HistoryBitmap.Bit>] = [:]

  init(_ mapped: [MappedHistory], in context: PlanningContext) {
    (self.context, self.mapped) = (context, mapped)
    owners = Dictionary(grouping: mapped, by: \.destination)
  }

  /// One statement for all entities whose bits move; none if all stay.
  mutating func steps() -> [PlanStep] {
    var (old, new) = (HistoryBitmaps(context.source.hierarchy), HistoryBitmaps(context.destination.hierarchy))
    var moves: [(number: Int, places: String)] = []
    var names: Set<String> = []
    for entity in mapped {
      guard let number = entity.number else { continue }
      let bits = old.bitmap(of: entity.source).bits
      let known = Dictionary(bits.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
      let places = new.bitmap(of: entity.destination).bits.map { bit in
        origins(of: bit, in: entity).compactMap { known[$0] }.sorted()
      }
      guard !Self.stay(places, bits.count) else { continue }
      moves.append((number, Self.text(places)))
      names.formUnion([entity.source, entity.destination])
    }
    guard !moves.isEmpty else { return [] }
    let cases = moves.map { "WHEN \(.number($0.number)) THEN \(.text($0.places))" as SQLStatement }
    return [
      PlanStep(
        """
        UPDATE \(name: HistorySteps.table) SET \(name: "ZCOLUMNS") = modelctl_history_columns(\(name: "ZCOLUMNS"), \
        CASE \(name: "ZENTITY") \(cases.joined(" ")) END) \
        WHERE \(name: "ZENTITY") IN (\(.list(moves.map(\.number)))) AND \(name: "ZCOLUMNS") IS NOT NULL
        """, cause: .historyColumns, rows: context.rowCount(ofTable: HistorySteps.table), writing: .history
      ).about(names.reduce(into: []) { $0.formUnion(context.subject(ofLineage: $1)) })
    ]
  }

  /// The property of the source for a bit of the destination.
  private mutating func origins(of bit: HistoryBitmap.Bit, in entity: MappedHistory) -> Set<HistoryBitmap.Bit> {
    switch bit {
    case .incoming(let address): return farEnds(of: address)
    case .property(let name):
      if let own = entity.origins[name], !own.isEmpty { return Set(own.map(HistoryBitmap.Bit.property)) }
      let address = context.destination.address(ofRelationship: name, in: entity.destination)
      return address.flatMap { Self.inverse(of: $0, in: context.destination) }.map { farEnds(of: $0) } ?? []
    }
  }

  /// The bits of the source for the other end of a destination relationship, whose links may bring those of this end.
  private mutating func farEnds(of address: PropertyAddress) -> Set<HistoryBitmap.Bit> {
    if let known = farEnds[address] { return known }
    let family = context.destination.hierarchy.family(of: address.entity).flatMap { owners[$0.name] ?? [] }
    let links = family.flatMap { owner in
      (owner.origins[address.property] ?? []).compactMap {
        context.source.address(ofRelationship: $0, in: owner.source)
      }
    }
    let found = Set(
      links.map { link in
        Self.inverse(of: link, in: context.source).map { HistoryBitmap.Bit.property($0.property) } ?? .incoming(link)
      })
    farEnds[address] = found
    return found
  }

  private static func inverse(of address: PropertyAddress, in model: StoreModel) -> PropertyAddress? {
    model.inverse(of: address).flatMap { model.relationship($0)?.isTransient ?? true ? nil : $0 }
  }

  /// True if as many bits stand for what they stood for, so that nothing is to be written.
  private static func stay(_ places: [[Int]], _ count: Int) -> Bool {
    places.count >= count && places.enumerated().allSatisfy { $1 == ($0 < count ? [$0] : []) }
  }

  /// The form that the SQL function takes: bits are separated by commas, places by plus signs.
  private static func text(_ places: [[Int]]) -> String {
    places.map { $0.map(String.init).joined(separator: "+") }.joined(separator: ",")
  }
}
