import ModelDescription
import PersistentStores
import StoreRows

/// A property of the objects that are dumped, and where its values come from.
struct DumpedProperty {
  /// What its values are.
  enum Content {
    /// The value of an attribute, in a column, with the names that lead to it: several within a composite one.
    case value(RecordColumn, path: [String])
    /// The elements of a composite attribute.
    case composite([DumpedProperty])
    /// The object of a to-one relationship, in two columns.
    case object(RecordColumn, DumpedReferences)
    /// The objects of a to-many relationship, in a statement of their own.
    case objects(LinkSteps, DumpedReferences)
  }

  /// Its name.
  let name: String
  /// What its values are.
  let content: Content

  /// A property in the columns of a row.
  ///
  /// - Parameters:
  ///   - column: its columns.
  ///   - parent: the names of the composite attributes that it is an element of.
  ///   - references: says how the objects of an entity are named.
  init(_ column: RecordColumn, in parent: [String] = [], _ references: (String) -> DumpedReferences) {
    name = column.name
    let path = parent + [column.name]
    switch column.content {
    case .value: content = .value(column, path: path)
    case .composite(let elements):
      content = .composite(elements.map { DumpedProperty($0, in: path, references) }.sorted { $0.name < $1.name })
    case .object(let destination): content = .object(column, references(destination))
    }
  }

  /// A to-many relationship.
  init(name: String, _ steps: LinkSteps, _ references: DumpedReferences) {
    (self.name, content) = (name, .objects(steps, references))
  }
}

/// How objects at the other end of a relationship are named: by their key, and the entity where it is not the destination.
struct DumpedReferences {
  /// The names of the entities but the destination, by their numbers.
  let names: [Int64: String]
  /// The number of the destination.
  let destination: Int64?

  init(to destination: String, _ layout: SQLStoreLayout) {
    self.destination = layout.number(of: destination).map(Int64.init)
    names = Dictionary(
      layout.entityNumbers.filter { $0.name != destination }.map { (Int64($0.number), $0.name) }
    ) { first, _ in first }
  }
}
