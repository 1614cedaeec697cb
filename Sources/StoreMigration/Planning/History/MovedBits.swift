import MigrationSQL
import ModelDescription
import PersistentStores

/// Moves the bits of updates in persistent history to where the destination has those of the same properties.
struct MovedBits {
  private let context: PlanningContext
  private let mapped: [MappedHistory]
  /// What becomes what, by the destination entity.
  private let owners: [String: [MappedHistory]]
  private var farEnds: [PropertyAddress: Set<HistoryBitmap.Bit>] = [:]

  init(_ mapped: [MappedHistory], in context: PlanningContext) {
    self.context = context
    self.mapped = mapped
    owners = Dictionary(grouping: mapped, by: \.destination)
  }

  /// One statement for all entities whose bits move; none where all stay.
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
        """, cause: .historyColumns(entities: names.sorted()), rows: context.rowCount(ofTable: HistorySteps.table),
        writing: .history)
    ]
  }

  /// What the source has for a bit of the destination.
  private mutating func origins(of bit: HistoryBitmap.Bit, in entity: MappedHistory) -> Set<HistoryBitmap.Bit> {
    switch bit {
    case .incoming(let address): return farEnds(of: address)
    case .property(let name):
      if let own = entity.origins[name], !own.isEmpty { return Set(own.map(HistoryBitmap.Bit.property)) }
      let address = context.destination.address(ofRelationship: name, in: entity.destination)
      return address.flatMap { Self.inverse(of: $0, in: context.destination) }.map { farEnds(of: $0) } ?? []
    }
  }

  /// What the source has for the other end of a destination relationship, whose links it may be that bring this end's.
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

  /// True when as many bits stand for what they stood for, so that nothing is to be written.
  private static func stay(_ places: [[Int]], _ count: Int) -> Bool {
    places.count >= count && places.enumerated().allSatisfy { $1 == ($0 < count ? [$0] : []) }
  }

  /// The form that the SQL function takes: bits are separated by commas, places by plus signs.
  private static func text(_ places: [[Int]]) -> String {
    places.map { $0.map(String.init).joined(separator: "+") }.joined(separator: ",")
  }
}
