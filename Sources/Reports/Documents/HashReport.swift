import ModelDescription
public import VersionHashing

/// The version hashes of a single model.
public struct HashReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The name of the model.
  public let model: String
  /// The base64 of every entity's hash.
  public let entities: [String: String]
  /// `NSStoreModelVersionHashesDigest`.
  public let digest: String
  /// `NSManagedObjectModel.versionChecksum`.
  public let checksum: String

  private enum CodingKeys: CodingKey {
    case version, model, entities, digest, checksum
  }

  /// Creates a report of the hashes.
  public init(model: String, hashes: VersionHashes) {
    self.model = model
    entities = hashes.entities.mapValues(\.base64)
    digest = hashes.digest
    checksum = hashes.checksum
  }

  /// One line per entity, then digest and checksum; the hash is first, or last if the text is read aloud.
  public var text: String {
    let entities = entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let lines =
      TextWidth.isSpoken
      ? entities.map { "\($0.key): \($0.value)" } + ["digest: \(digest)", "checksum: \(checksum)"]
      : entities.map { "\($0.value)  \($0.key)" } + ["digest    \(digest)", "checksum  \(checksum)"]
    return lines.joined(separator: "\n") + "\n"
  }
}
