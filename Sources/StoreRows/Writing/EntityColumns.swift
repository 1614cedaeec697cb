import Foundation
package import MigrationSQL
import ModelDescription
import PersistentStores

/// The columns of an entity's properties in its table.
struct EntityColumns {
  struct Column {
    enum Content {
      /// An attribute's value, with a marker of external storage if it may have one.
      case attribute(isMarked: Bool)
      /// The key of the destination object.
      case key
      /// Its entity number.
      case entity
    }

    let name: String
    /// The property's name, then the elements of composite attributes.
    let path: [String]
    let content: Content

    var isMarked: Bool { if case .attribute(isMarked: true) = content { true } else { false } }

    /// Its value among the values of properties; nil if the property is missing.
    func value(in values: [String: RecordValue]) -> RecordValue? { values.value(at: path) }
  }

  /// A property, or an element of a composite attribute, that the store lacks a column for.
  private struct Missing {
    let path: [String]
    let address: PropertyAddress
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
  /// The values that an ``ExactValueTable`` may have, by path and type.
  let exact: [(path: [String], type: AttributeType)]
  private let missing: [Missing]
  /// The statement that inserts a row: the key, the entity's number, the version, and all columns.
  let insertion: String?
  let links: [Links]
  let hasExternalData: Bool
  /// The properties of uniqueness constraints.
  let unique: Set<String>

  /// Finds the columns.
  ///
  /// - Parameter keepsDerived: true to include derived attributes whose values cannot be computed from rows again.
  init(of entity: String, in store: StoreModel, keepsDerived: Bool) {
    table = store.table(ofEntity: entity)?.name
    number = store.number(of: entity)
    var columns: [Column] = []
    var missing: [Missing] = []
    var exact: [(path: [String], type: AttributeType)] = []
    for declared in store.hierarchy.allAttributes(of: entity).values {
      let attribute = declared.property
      if store.keepsExactValues, !attribute.isTransient {
        exact += attribute.leaves.map { ($0.path, $0.attribute.type) }.filter(\.1.mayBeKeptApart)
      }
      guard !attribute.isTransient,
        attribute.derivation == nil
          || keepsDerived && store.isDerivedOnce(attribute, declaredBy: declared.entity.name)
      else { continue }
      for (path, leaf) in attribute.leaves {
        let address = PropertyAddress(entity: declared.entity.name, property: path.joined(separator: "."))
        guard let place = store.place(.attribute(address)) else {
          // Validation refuses values of types that have no column in any SQLite store.
          if SQLColumn.DeclaredType(leaf.type) != nil { missing.append(Missing(path: path, address: address)) }
          continue
        }
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
      case .join(let table, let near, let far, _, _):
        links.append(Links(table: table, column: near, isJoin: true, order: nil))
        // Where two relationships share the table, the other one has this object in the far column.
        let declaration = PropertyAddress(entity: declared.entity.name, property: name)
        if store.inverse(of: declaration) == declaration {
          links.append(Links(table: table, column: far, isJoin: true, order: nil))
        }
      case .owner(let table, let column, let order):
        links.append(Links(table: table, column: column, isJoin: false, order: order))
      case nil where !declared.property.isToMany:
        let declaration = PropertyAddress(entity: declared.entity.name, property: name)
        missing.append(Missing(path: [name], address: declaration))
      case .inverseOfToOne, nil: break
      }
    }
    columns.sort { $0.name < $1.name }
    (self.columns, self.exact) = (columns, exact)
    self.missing = missing.sorted { $0.address.description < $1.address.description }
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

  /// Checks that there is a column for each value, except null.
  func check(_ values: [String: RecordValue]) throws(RecordRequestError) {
    for property in missing {
      guard let value = values.value(at: property.path), value != .null else { continue }
      throw .notKept(property.address, named: property.path.joined(separator: "."))
    }
  }
}

extension [String: RecordValue] {
  /// The value of a property or of an element of a composite attribute; nil if the property is missing.
  func value(at path: [String]) -> RecordValue? {
    guard let name = path.first, var value = self[name] else { return nil }
    for name in path.dropFirst() {
      if case .composite(let elements) = value { value = elements[name] ?? .null } else { value = .null }
    }
    return value
  }
}

/// Converts values to the values of a store's columns.
package enum RecordEncoding {
  /// Returns a value for a column.
  ///
  /// - Parameters:
  ///   - value: an attribute's value, or a destination object, which is stored as its key.
  ///   - isMarked: true if a byte before binary data records where the data is.
  /// - Returns: the value; a composite attribute lacks a column of its own.
  package static func stored(_ value: RecordValue, isMarked: Bool) -> SQLValue {
    switch value {
    case .null, .composite, .objects: .null
    case .attribute(.binary(let data)), .transformed(let data):
      isMarked ? .blob([1] + data) : .blob(Array(data))
    // Core Data binds the digits, and leaves the number that they are to the column.
    case .attribute(.decimal(let number)) where number.isNaN: .text("NaN")
    case .attribute(let value): SQLValue(value)
    case .external(let reference): .blob(Array(reference))
    case .object(let id): .integer(id.key)
    }
  }
}
