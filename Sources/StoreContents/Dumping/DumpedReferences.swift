import MigrationSQL
import PersistentStores
import StoreRows

/// How objects at the other end of a relationship are named: by their key, and the entity where it is not the destination.
struct DumpedReferences {
  /// The beginnings of references with the entity, by its number.
  private let beginnings: [Int64: [UInt8]]

  /// Prepares the beginnings for all entities of a store.
  ///
  /// - Parameters:
  ///   - reading: reads the store.
  ///   - beginning: what stands before the key, by the name of the entity.
  init(in reading: RecordReading, _ beginning: (String) -> String) {
    beginnings = Dictionary(
      reading.store.layout.entityNumbers.map { (Int64($0.number), Array(beginning($0.name).utf8)) }
    ) { first, _ in first }
  }

  /// What stands before the key of an object.
  ///
  /// - Parameters:
  ///   - number: the number of the object's entity.
  ///   - destination: that of the relationship's destination.
  /// - Returns: nil where the key is all.
  func beginning(ofEntity number: Int64?, destination: Int64?) -> [UInt8]? {
    guard let number, number != destination else { return nil }
    return beginnings[number]
  }
}
