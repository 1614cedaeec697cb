/// The type of an attribute's values.
public enum AttributeType: Hashable, Sendable {
  case undefined
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  case transformable
  case objectID
  case composite
  /// An unknown type, as the source writes it.
  case unrecognized(String)
}

extension AttributeType {
  /// Every known type with its code in hashes and archives and its name in model files.
  ///
  /// Source: the type codes of `NSAttributeType` and the `attributeType` values of model files.
  private static let table: [(type: AttributeType, code: Int32, name: String)] = [
    (.undefined, 0, "Undefined"), (.integer16, 100, "Integer 16"), (.integer32, 200, "Integer 32"),
    (.integer64, 300, "Integer 64"), (.decimal, 400, "Decimal"), (.double, 500, "Double"), (.float, 600, "Float"),
    (.string, 700, "String"), (.boolean, 800, "Boolean"), (.date, 900, "Date"), (.binary, 1000, "Binary"),
    (.uuid, 1100, "UUID"), (.uri, 1200, "URI"), (.transformable, 1800, "Transformable"),
    (.objectID, 2000, "ObjectID"), (.composite, 2100, "Composite"),
  ]

  /// All known types.
  public static let known: [AttributeType] = table.map(\.type)

  /// The type of this code; unknown codes give ``unrecognized(_:)``.
  public init(code: Int32) { self = Self.table.first { $0.code == code }?.type ?? .unrecognized(String(code)) }

  /// The type of this name in a model file; unknown names give ``unrecognized(_:)``.
  public init(name: String) { self = Self.table.first { $0.name == name }?.type ?? .unrecognized(name) }

  /// The code of the type in hashes and archives; nil for an unrecognized type.
  public var code: Int32? { Self.table.first { $0.type == self }?.code }

  /// The type's name as model files write it.
  public var name: String {
    if case .unrecognized(let name) = self { return name }
    return Self.table.first { $0.type == self }?.name ?? "Undefined"
  }

  /// True for the numeric types that inference converts.
  public var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}
