public import StoreRows

/// What a save of this program changed, objects that delete rules and inverses reached among them.
public struct StoreSave: Hashable, Sendable {
  /// The new objects, in the order in which they were inserted.
  public let inserted: [RecordID]
  /// The objects that changed, by entity and key.
  public let updated: [RecordID]
  /// The objects that are gone, by entity and key.
  public let deleted: [RecordID]
  /// The decimal numbers that the store keeps in fewer digits.
  public let rounded: [RoundedDecimal]
  /// The links that were emptied in a store of another kind than SQLite, as they lead to objects which are not there.
  public let linksToNothing: [LinkToNothing]

  init(_ saving: Saving) {
    let writes = saving.writes
    (inserted, deleted) = (writes.insertions.map(\.id), writes.deletions.map(\.id))
    let written = writes.updates.map(\.id)
    let emptied = Set(saving.linksToNothing.map(\.object)).subtracting(inserted).subtracting(written)
    updated = written + emptied.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    (rounded, linksToNothing) = (saving.rounded, saving.linksToNothing)
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
