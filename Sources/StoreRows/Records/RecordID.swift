/// The identifier of an object in a store: the entity of its row, and its key.
public struct RecordID: Hashable, Sendable {
  /// The entity of the row, which may be a subentity of the requested entity.
  public var entity: String
  /// The key, `Z_PK`, which is unique among the objects of a single table.
  public var key: Int64

  /// Names an object.
  public init(entity: String, key: Int64) { (self.entity, self.key) = (entity, key) }
}

extension RecordID: LosslessStringConvertible {
  /// The object as people write it, such as `Order 42`.
  public var description: String { "\(entity) \(key)" }

  /// Parses an identifier such as `Order 42`; nil for any other text.
  public init?(_ description: String) {
    guard let space = description.lastIndex(of: " "), space > description.startIndex,
      let key = Int64(description[description.index(after: space)...])
    else { return nil }
    self.init(entity: String(description[..<space]), key: key)
  }
}

extension RecordID: Codable {
  /// Reads the object from a text such as `Order 42`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = RecordID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” names no object")
    }
    self = id
  }

  /// Writes the object as a text such as `Order 42`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// An object of a to-many relationship, with its position if the relationship is ordered.
public struct PlacedLink: Hashable, Sendable {
  /// The object.
  public let id: RecordID
  /// The stored position in the order (`Z_FOK_…`); nil if it has no position.
  public let place: Int64?

  /// Creates a link to an object with a position.
  public init(_ id: RecordID, place: Int64? = nil) { (self.id, self.place) = (id, place) }
}
