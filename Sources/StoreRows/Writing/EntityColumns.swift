import MigrationSQL
import ModelDescription
import PersistentStores

/// Where the properties of one entity stand in its table.
struct EntityColumns {
  /// One column.
  struct Column {
    enum Content {
      /// An attribute's value, with the mark of external storage where it may have one.
      case attribute(isMarked: Bool)
      /// The key of the object at the other end.
      case key
      /// Its entity number.
      case entity
    }

    let name: String
    /// The property's name, then the elements of composite attributes.
    let path: [String]
    let content: Content

    var isMarked: Bool {
      if case .attribute(isMarked: true) = content { true } else { false }
    }

    /// Its value among those of properties; nil when the property is not among them.
    func value(in values: [String: RecordValue]) -> RecordValue? {
      guard var value = values[path[0]] else { return nil }
      for name in path.dropFirst() {
        if case .composite(let elements) = value { value = elements[name] ?? .null } else { value = .null }
      }
      return value
    }
  }

  /// Rows that speak of an object besides its own.
  struct Links {
    /// A join table, with the column of this object, or a table with a column of its owner.
    let table: String
    let column: String
    let isJoin: Bool
    let order: String?

    func removing(_ keys: SQLStatement) -> SQLStatement {
      if isJoin { return "DELETE FROM \(name: table) WHERE \(name: column) IN (\(keys))" }
      let place: SQLStatement = order.map { ", \(name: $0) = NULL" } ?? ""
      return "UPDATE \(name: table) SET \(name: column) = NULL\(place) WHERE \(name: column) IN (\(keys))"
    }
  }

  let table: String?
  let number: Int?
  let columns: [Column]
  /// The statement that makes a row: the key, the entity's number, the version, and all columns.
  let insertion: String?
  let links: [Links]
  let hasExternalData: Bool
  /// The properties of uniqueness constraints.
  let unique: Set<String>

  init(of entity: String, in store: StoreModel) {
    table = store.table(ofEntity: entity)?.name
    number = store.number(of: entity)
    var columns: [Column] = []
    for declared in store.hierarchy.allAttributes(of: entity).values {
      let attribute = declared.property
      guard !attribute.isTransient, attribute.derivation == nil else { continue }
      for (path, leaf) in attribute.leaves {
        let address = PropertyAddress(entity: declared.entity.name, property: path.joined(separator: "."))
        guard let place = store.place(.attribute(address)) else { continue }
        columns.append(
          Column(
            name: place.column.name, path: path,
            content: .attribute(isMarked: leaf.allowsExternalBinaryDataStorage)))
      }
    }
    var links: [Links] = []
    for declared in store.hierarchy.allRelationships(of: entity).values where !declared.property.isTransient {
      let name = declared.property.name
      let address = PropertyAddress(entity: entity, property: name)
      switch store.layout.storage(ofRelationship: address, in: store.hierarchy) {
      case .toOne(_, let column, let number, _):
        columns.append(Column(name: column, path: [name], content: .key))
        if let number { columns.append(Column(name: number, path: [name], content: .entity)) }
      case .join(let table, let near, _, _, _):
        links.append(Links(table: table, column: near, isJoin: true, order: nil))
      case .owner(let table, let column, let order):
        links.append(Links(table: table, column: column, isJoin: false, order: order))
      case .inverseOfToOne, nil: break
      }
    }
    columns.sort { $0.name < $1.name }
    self.columns = columns
    insertion = table.map { table in
      let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name)).map { SQLIdentifier($0).quoted }
      let marks = names.map { _ in "?" }
      return
        "INSERT INTO \(SQLIdentifier(table).quoted) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    }
    self.links = links.sorted { ($0.table, $0.column) < ($1.table, $1.column) }
    unique = Set(store.hierarchy.lineage(of: entity).flatMap(\.uniquenessConstraints).joined())
    hasExternalData = columns.contains(where: \.isMarked)
  }
}
