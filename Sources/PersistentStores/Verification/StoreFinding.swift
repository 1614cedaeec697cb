public import ModelDescription

/// A difference between a store and its model.
public struct StoreFinding: Hashable, Sendable {
  /// The effect on Core Data.
  public enum Severity: String, Hashable, Sendable {
    /// Core Data works with it, or wrote it itself.
    case warning
    /// Core Data fails, or reads or writes something wrong.
    case error
  }

  /// The kind of a finding; the raw value is a stable name for machines.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// SQLite's own check of the file failed.
    case damage
    /// An index does not match the rows of its table, so queries return wrong results.
    case staleIndex = "stale-index"
    /// A table, column, index or trigger differs from the model's layout.
    case schema
    /// The version hashes in the metadata differ from the model's.
    case versionHashes = "version-hashes"
    /// The digest or checksum in the metadata does not match its hashes.
    case digest
    /// The cached model is of a different version, or cannot be read.
    case cachedModel = "cached-model"
    /// `Z_MAX` is less than a `Z_PK` in use, so new rows would get a key that is taken.
    case primaryKeyMaximum = "primary-key-maximum"
    /// Rows whose `Z_ENT` does not belong to their table.
    case unknownEntity = "unknown-entity"
    /// Rows of an abstract entity.
    case abstractEntity = "abstract-entity"
    /// References to rows that do not exist.
    case danglingReference = "dangling-reference"
    /// References to rows of an entity that the relationship cannot hold.
    case wrongDestination = "wrong-destination"
    /// Entity numbers next to references that differ from those of the referenced rows.
    case wrongDestinationNumber = "wrong-destination-number"
    /// One-to-one relationships whose two sides disagree.
    case oneSided = "one-sided"
    /// Mandatory attributes, elements of composite values or relationships without a value.
    case missingValue = "missing-value"
    /// Objects with fewer or more destination objects than a to-many relationship allows.
    case linkCount = "link-count"
    /// Values beyond the limits of their attribute; Core Data refuses to save such objects.
    case limit
    /// Values of another storage class than their type has, such as text in place of a number, or that the type cannot
    /// hold, such as text that is not UTF-8 or a number beyond Integer 16.
    case storageClass = "storage-class"
    /// Rows that a uniqueness constraint forbids.
    case duplicate
    /// External binary data whose file is missing.
    case missingFile = "missing-file"
    /// External binary data that shares its file with a different value, so deleting either value deletes the file.
    case sharedFile = "shared-file"
    /// Persistent history that refers to an unused entity number.
    case historyEntity = "history-entity"
  }

  /// The kind of the finding.
  public let kind: Kind
  /// The effect on Core Data.
  public let severity: Severity
  /// The entity; nil if the finding is about the complete store.
  public let entity: String?
  /// The property; nil if the finding is about no single property.
  public let property: String?
  /// The number of rows, or 1 if the finding is not about rows.
  public let count: Int
  /// The first `Z_PK` values, at most five, ascending; for a join table, those of the referring rows.
  public let primaryKeys: [Int64]
  /// The finding as a sentence, without location and keys.
  public let sentence: String
  /// The remedy; nil if the sentence implies it or none is known.
  public let advice: Advice?

  /// Creates a finding.
  public init(
    _ kind: Kind, severity: Severity = .error, entity: String? = nil, property: String? = nil, count: Int = 1,
    primaryKeys: [Int64] = [], sentence: String, advice: Advice? = nil
  ) {
    (self.kind, self.severity, self.entity, self.property) = (kind, severity, entity, property)
    (self.count, self.primaryKeys, self.sentence, self.advice) = (count, primaryKeys, sentence, advice)
  }
}

extension StoreFinding: CustomStringConvertible {
  /// The finding on a single line: severity, location, sentence, remedy in words, count and first rows.
  public var description: String { line(advice?.words) }

  /// The same line with the commands and options of the remedy.
  package var lineWithOptions: String { line(advice?.text) }

  private func line(_ advice: String?) -> String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let keys = primaryKeys.map(String.init).joined(separator: ", ") + (count > primaryKeys.count ? ", …" : "")
    let rows = primaryKeys.isEmpty ? "" : " (\(count) \(count == 1 ? "row" : "rows"), Z_PK \(keys))"
    let remedy = advice.map { "; \($0)" } ?? ""
    return "\(severity.rawValue): \(place.isEmpty ? "" : "\(place): ")\(sentence)\(remedy)\(rows) [\(kind.rawValue)]"
  }
}
