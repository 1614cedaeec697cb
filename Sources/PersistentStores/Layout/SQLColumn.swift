package import ModelDescription

/// A column of a store's table: its name, its declared type and its role.
public struct SQLColumn: Hashable, Sendable {
  /// The declared types that Core Data uses.
  public enum DeclaredType: String, Hashable, Sendable {
    case integerPrimaryKey = "INTEGER PRIMARY KEY"
    case integer = "INTEGER"
    case float = "FLOAT"
    case timestamp = "TIMESTAMP"
    case decimal = "DECIMAL"
    case varchar = "VARCHAR"
    case blob = "BLOB"
  }

  /// The role of a column.
  public enum Role: Hashable, Sendable {
    /// `Z_PK`.
    case primaryKey
    /// `Z_ENT`.
    case entityNumber
    /// `Z_OPT`.
    case optimisticLock
    /// The value of an attribute or of an element of a composite attribute.
    case attribute(PropertyAddress)
    /// The destination row of a to-one relationship.
    case toOne(PropertyAddress)
    /// The entity number of the destination row of a to-one relationship (`Z<n>_<NAME>`).
    case toOneEntity(PropertyAddress)
    /// The position of this row in the ordered to-many inverse of a to-one (`Z_FOK_…`); the address is that of the
    /// to-one.
    case toOneOrder(PropertyAddress)
    /// The row that owns this row through a to-many without inverse (`Z<n><NAME>`); the address is that of the to-many.
    case toManyOwner(PropertyAddress)
    /// The position of this row in the ordered to-many without inverse that owns it; the address is that of the
    /// to-many.
    case toManyOwnerOrder(PropertyAddress)
    /// In a join table, the row that owns the naming relationship; the address is the naming relationship's.
    case joinSource(PropertyAddress)
    /// In a join table, the row the naming relationship points at; the address is the naming relationship's.
    case joinDestination(PropertyAddress)
    /// In a join table, the position of the source among the destination's objects, if the inverse is ordered; the
    /// address is that of the naming relationship.
    case joinSourceOrder(PropertyAddress)
    /// In a join table, the position of the destination among the source's objects, if the naming relationship is
    /// ordered.
    case joinDestinationOrder(PropertyAddress)
  }

  /// The column's name.
  public var name: String
  /// Its declared type.
  public var type: DeclaredType
  /// The role.
  public var role: Role

  /// Creates a column.
  public init(name: String, type: DeclaredType, role: Role) { (self.name, self.type, self.role) = (name, type, role) }

  /// The second column of the join table of a relationship that is its own inverse.
  static let reflexiveName = "REFLEXIVE"

  /// The three columns that begin every entity table.
  static let fixed: [SQLColumn] = [
    SQLColumn(name: "Z_PK", type: .integerPrimaryKey, role: .primaryKey),
    SQLColumn(name: "Z_ENT", type: .integer, role: .entityNumber),
    SQLColumn(name: "Z_OPT", type: .integer, role: .optimisticLock),
  ]

  /// The name of the order column for a column of a join table: `Z_FOK_3CATEGORY` for `Z_3CATEGORY`.
  static func orderName(forJoin column: String) -> String { "Z_FOK_\(column.dropFirst(2))" }

  /// The name of the order column for a to-one column: `Z_FOK_PARENT` for `ZPARENT`, and `Z_FOK__PARENT` for the
  /// `Z_PARENT` of a relationship `_parent`.
  static func orderName(forReference column: String) -> String { "Z_FOK_\(column.dropFirst())" }

  /// The name of the column for the entity number of a reference: `Z10_QUOTE` for `ZQUOTE`.
  static func companionName(for column: String, number: Int) -> String {
    "Z\(number)_\(column.hasPrefix("Z") ? String(column.dropFirst()) : column)"
  }
}

extension SQLColumn.DeclaredType {
  /// The declared type of an attribute's column; nil for a type without a column.
  ///
  /// Undefined, object ID and unrecognized attributes cannot be stored; a composite attribute is stored by its
  /// elements.
  package init?(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: self = .integer
    case .double, .float: self = .float
    case .date: self = .timestamp
    case .decimal: self = .decimal
    case .string, .uri: self = .varchar
    case .uuid, .transformable, .binary: self = .blob
    case .undefined, .objectID, .composite, .unrecognized: return nil
    }
  }
}

/// A property by the entity that declares it.
public struct PropertyAddress: Hashable, Sendable {
  /// The declaring entity.
  public var entity: String
  /// The property's name; for an element of a composite attribute the names joined by dots.
  public var property: String

  /// Creates an address.
  public init(entity: String, property: String) { (self.entity, self.property) = (entity, property) }

  /// The property that a path begins with: for an element of a composite attribute the attribute.
  package static func property(ofPath path: String) -> String {
    path.split(separator: ".", maxSplits: 1).first.map(String.init) ?? path
  }
}

extension PropertyAddress: CustomStringConvertible {
  /// The address as people write it, such as `Order.note`.
  public var description: String { "\(entity).\(property)" }
}
