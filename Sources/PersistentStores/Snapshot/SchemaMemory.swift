import Foundation

/// The schemas that were read last, so that of many stores with one schema SQLite is asked about its columns and indexes
/// once.
final class SchemaMemory: @unchecked Sendable {
  static let shared = SchemaMemory()

  /// What follows from the text of a schema.
  struct Structure: Sendable {
    /// The ordinary tables.
    let tables: [SchemaObject]
    /// Their columns, in the order of the tables.
    let columns: [[StoreSnapshot.Column]]
    /// The indexes of the tables.
    let indexes: [StoreSnapshot.Index]
  }

  /// As many as the versions that a few threads work on at once.
  private static let capacity = 32

  private let lock = NSLock()
  private var known: [(schema: [SchemaObject], structure: Structure)] = []

  /// What is known of a schema, or is read now; two threads may read the same.
  func structure(of schema: [SchemaObject], read: () throws -> Structure) rethrows -> Structure {
    let found = lock.withLock { known }.last { $0.schema == schema }
    if let found { return found.structure }
    let structure = try read()
    lock.withLock {
      if known.count >= Self.capacity { known.removeFirst() }
      known.append((schema, structure))
    }
    return structure
  }
}
