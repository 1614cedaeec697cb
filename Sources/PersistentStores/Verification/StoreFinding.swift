/// One way in which a store is not what its model says.
public struct StoreFinding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable {
    /// Core Data works with it, or wrote it itself.
    case warning
    /// Core Data fails, or reads or writes something wrong.
    case error
  }

  /// What is wrong; the raw value is a stable name for machines.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite's own check of the file failed.
    case damage
    /// An index lacks entries of its table's rows, or has others, so that what reads by it is wrong.
    case staleIndex = "stale-index"
    /// A table, column, index or trigger is not as the model lays it out.
    case schema
    /// The metadata's version hashes are not the model's.
    case versionHashes = "version-hashes"
    /// The metadata's digest or checksum does not fit its hashes.
    case digest
    /// The cached model is of another version, or cannot be read.
    case cachedModel = "cached-model"
    /// `Z_MAX` is less than a `Z_PK` in use, so that new rows would clash.
    case primaryKeyMaximum = "primary-key-maximum"
    /// Rows whose `Z_ENT` is no entity of their table.
    case unknownEntity = "unknown-entity"
    /// Rows of an abstract entity.
    case abstractEntity = "abstract-entity"
    /// References to rows that are not there.
    case danglingReference = "dangling-reference"
    /// References to rows of an entity that the relationship cannot hold.
    case wrongDestination = "wrong-destination"
    /// Entity numbers beside references that are not those of the rows referred to.
    case wrongDestinationNumber = "wrong-destination-number"
    /// One-to-one relationships whose two sides disagree.
    case oneSided = "one-sided"
    /// Mandatory attributes, elements of composite values or relationships without a value.
    case missingValue = "missing-value"
    /// Objects with fewer or more objects at the other end of a to-many than it allows.
    case linkCount = "link-count"
    /// Values beyond the limits of their attribute, with which a save of the object is refused.
    case limit
    /// Values that are not stored as their type is, such as text where a number belongs, or that it cannot hold,
    /// such as text that is not UTF-8 or a number beyond Integer 16.
    case storageClass = "storage-class"
    /// Rows that a uniqueness constraint forbids.
    case duplicate
    /// External binary data whose file is missing.
    case missingFile = "missing-file"
    /// External binary data whose file another value names too, so that whichever is deleted takes it away.
    case sharedFile = "shared-file"
    /// Persistent history of an entity number that is not in use.
    case historyEntity = "history-entity"
  }

  /// What is wrong.
  public let kind: Kind
  /// How much it matters.
  public let severity: Severity
  /// The entity it is about, nil for the store as a whole.
  public let entity: String?
  /// The property it is about.
  public let property: String?
  /// The number of rows, or 1 where rows do not count.
  public let count: Int
  /// The first `Z_PK` values, at most five, ascending; of a join table the rows that refer.
  public let primaryKeys: [Int64]
  /// What is wrong in one sentence, without place and keys.
  public let sentence: String

  /// Makes a problem.
  public init(
    _ kind: Kind, severity: Severity = .error, entity: String? = nil, property: String? = nil, count: Int = 1,
    primaryKeys: [Int64] = [], sentence: String
  ) {
    (self.kind, self.severity, self.entity, self.property) = (kind, severity, entity, property)
    (self.count, self.primaryKeys, self.sentence) = (count, primaryKeys, sentence)
  }
}

extension StoreFinding: CustomStringConvertible {
  /// The problem on one line: severity, place, sentence, count and first rows.
  public var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let keys = primaryKeys.map(String.init).joined(separator: ", ") + (count > primaryKeys.count ? ", …" : "")
    let rows = primaryKeys.isEmpty ? "" : " (\(count) \(count == 1 ? "row" : "rows"), Z_PK \(keys))"
    return "\(severity.rawValue): \(place.isEmpty ? "" : "\(place): ")\(sentence)\(rows) [\(kind.rawValue)]"
  }
}
