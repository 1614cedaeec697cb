public import AtomicStores

/// What only a Mac can prove of stores of some kinds, in words.
public enum UnprovedKindText {
  /// The kinds of which nobody has seen Core Data open a store that this program wrote, as people call them.
  private static let kinds = [XMLStoreKind().name: "XML", BinaryStoreKind().name: "binary"]

  /// Says whether there is nothing to prove of stores of a kind.
  ///
  /// - Parameter kind: the kind; nil for SQLite.
  /// - Returns: false for a kind of which nobody has seen Core Data open a store that this program wrote.
  public static func isProved(_ kind: (any StoreKind)?) -> Bool { kind.map { kinds[$0.name] == nil } ?? true }

  /// Says so of stores of a kind, in one sentence without its full stop.
  ///
  /// - Parameter kind: the kind; nil for SQLite.
  /// - Returns: the sentence; nil where there is nothing to prove.
  public static func text(of kind: (any StoreKind)?) -> String? {
    guard let kind, let name = kinds[kind.name] else { return nil }
    return "Core Data has not been seen to open \(name) stores that modelctl wrote"
  }
}
