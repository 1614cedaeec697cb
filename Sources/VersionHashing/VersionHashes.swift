package import Foundation
public import ModelDescription

/// The version hashes of a model's entities, which identify a version and which a store records.
public struct VersionHashes: Hashable, Sendable {
  /// The hash of every entity, including abstract entities, by name.
  public let entities: [String: VersionHash]

  /// Takes hashes, such as those in the metadata of a store.
  public init(entities: [String: VersionHash]) { self.entities = entities }

  /// Computes the hashes of a model.
  ///
  /// - Throws: `ModelStructureError` if the model's entities do not form a hierarchy, or if a type is unknown.
  public init(of model: ManagedObjectModel) throws(ModelStructureError) { try self.init(of: EntityHierarchy(model)) }

  /// Computes the hashes of a model whose hierarchy is known.
  public init(of hierarchy: EntityHierarchy) throws(ModelStructureError) {
    try self.init(of: hierarchy, sharing: EntityHashCache())
  }

  /// Computes the hashes of one of several versions of a model.
  package init(of hierarchy: EntityHierarchy, sharing memory: EntityHashCache) throws(ModelStructureError) {
    var hasher = EntityHasher(hierarchy, sharing: memory)
    var entities: [String: VersionHash] = [:]
    for entity in hierarchy.model.entities { entities[entity.name] = try hasher.hash(of: entity.name) }
    self.entities = entities
  }

  /// `NSStoreModelVersionHashesDigest`: base64 of SHA-512 over names and hashes, sorted by name.
  public var digest: String {
    let bytes = sorted.flatMap { Array($0.key.utf8) + $0.value.bytes }
    return Data(bytes.withUnsafeBytes { SHA2.digest512(of: $0) }).base64EncodedString()
  }

  /// `NSManagedObjectModel.versionChecksum`: base64 of SHA-256 over the hashes, sorted by name.
  public var checksum: String {
    let bytes = sorted.flatMap(\.value.bytes)
    return Data(bytes.withUnsafeBytes { SHA2.digest256(of: $0) }).base64EncodedString()
  }

  private var sorted: [(key: String, value: VersionHash)] { entities.sorted { $0.key.precedesByBytes($1.key) } }
}

extension VersionHashes: Codable {
  /// Reads hashes from a dictionary of their bytes by the names of the entities.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(
      entities: try container.decode([String: Data].self).mapValues { bytes in
        guard let hash = VersionHash(bytes) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "a version hash has \(bytes.count) bytes, not 32")
        }
        return hash
      })
  }

  /// Writes the bytes of the hashes by the names of the entities.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(entities.mapValues { Data($0.bytes) })
  }
}

/// The 32 bytes that identify an entity's definition.
public struct VersionHash: Hashable, Sendable {
  /// The bytes, always 32.
  public let bytes: [UInt8]

  /// Makes a hash of exactly 32 bytes.
  ///
  /// - Returns: the hash; nil for a different number of bytes.
  public init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The hash in base64, as tools for `VersionInfo.plist` and our JSON print it.
  public var base64: String { Data(bytes).base64EncodedString() }
}

/// A digest of a text or of bytes, equal on every machine and in every run.
package enum TextDigest {
  /// SHA-256 of the text in UTF-8, as 64 hexadecimal digits.
  package static func hexadecimal(_ text: String) -> String { hexadecimal(Data(text.utf8)) }

  /// SHA-256 of bytes, as 64 hexadecimal digits.
  package static func hexadecimal(_ bytes: Data) -> String {
    digest(of: bytes).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// SHA-256 of bytes in base64.
  package static func base64(of bytes: Data) -> String { Data(digest(of: bytes)).base64EncodedString() }

  private static func digest(of bytes: Data) -> [UInt8] { bytes.withUnsafeBytes { SHA2.digest256(of: $0) } }
}
