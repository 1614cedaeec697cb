import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Moves the values that deletions left in persistent history to where the destination has those of the same attributes.
struct Tombstones {
  private let context: PlanningContext
  private let mapped: [MappedHistory]
  /// How many columns of values there are.
  private let known: Int

  /// - Parameters:
  ///   - mapped: what becomes of every entity.
  ///   - columns: the columns of the table of changes, in upper case.
  ///   - context: what the plan is computed from.
  init(_ mapped: [MappedHistory], _ columns: Set<String>, in context: PlanningContext) {
    (self.mapped, self.context) = (mapped, context)
    known = (0...).prefix { columns.contains(Self.column($0)) }.count
  }

  private static func column(_ position: Int) -> String { "ZTOMBSTONE\(position)" }

  func steps() -> [PlanStep] {
    let hierarchy = context.destination.hierarchy
    let counts = hierarchy.model.entities.map { ($0.name, hierarchy.attributesKeptAfterDeletion(of: $0.name).count) }
    let columnCount = max(known, counts.map(\.1).max() ?? 0)
    let added = (known..<columnCount).map { position in
      PlanStep(
        "ALTER TABLE \(name: HistorySteps.table) ADD COLUMN \(name: Self.column(position)) BLOB",
        cause: .tombstoneColumnAdded(entities: counts.filter { $0.1 > position }.map(\.0)))
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
      """, cause: .historyTombstones(entities: names.sorted()),
      rows: context.rowCount(ofTable: HistorySteps.table), writing: .history)
    return added + [moving]
  }

  /// The values of an entity's deletions in the order of the destination, nil where all stay as they are.
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

  /// What makes a kept value of the destination's type; nil for data that may be in a file, of which history keeps none.
  private func conversions(
    of copy: MappedHistory.Copy, from old: AttributeDescription, to new: AttributeDescription
  ) -> [AttributeMapping.Step]? {
    guard !old.allowsExternalBinaryDataStorage, !new.allowsExternalBinaryDataStorage else { return nil }
    let steps = copy.conversions ?? (old.type == new.type ? [] : [.convert(from: old.type, to: new.type)])
    return steps.filter(\.changesStoredValue)
  }
}
