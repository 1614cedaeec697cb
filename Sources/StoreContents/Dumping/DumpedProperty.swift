import MigrationSQL
import PersistentStores
import StoreRows

/// A property of the dumped objects, and the columns of its values.
struct DumpedProperty {
  enum Content {
    /// The value of an attribute, in a column.
    case value(RecordColumn)
    /// The elements of a composite attribute.
    case composite([DumpedProperty])
    /// The object of a to-one relationship, in two columns, with the number of the relationship's destination.
    case object(RecordColumn, destination: Int64?)
    /// The objects of a to-many relationship, in a statement of their own, with the number of its destination.
    case objects(LinkCursor, destination: Int64?)
  }

  let name: String
  let content: Content

  /// A property in the columns of a row.
  init(_ column: RecordColumn, numbering number: (String) -> Int64?) {
    name = column.name
    switch column.content {
    case .value: content = .value(column)
    case .composite(let elements):
      let parts = elements.map { DumpedProperty($0, numbering: number) }
      content = .composite(parts.sorted { $0.name < $1.name })
    case .object(let destination): content = .object(column, destination: number(destination))
    }
  }

  init(name: String, _ rows: LinkCursor, destination: Int64?) {
    (self.name, content) = (name, .objects(rows, destination: destination))
  }
}

/// The names of linked objects: the key, with the entity if it is not the destination entity.
struct DumpedReferences {
  private let beginnings: [Int64: [UInt8]]

  /// Prepares the prefixes for all entities of a store.
  ///
  /// - Parameter beginning: returns the prefix of keys for the name of an entity.
  init(in reading: RecordReading, _ beginning: (String) -> String) {
    beginnings = Dictionary(
      reading.store.layout.entityNumbers.map { (Int64($0.number), Array(beginning($0.name).utf8)) }
    ) { first, _ in first }
  }

  /// The prefix of an object's key; nil if the key is enough.
  func beginning(ofEntity number: Int64?, destination: Int64?) -> [UInt8]? {
    guard let number, number != destination else { return nil }
    return beginnings[number]
  }
}
