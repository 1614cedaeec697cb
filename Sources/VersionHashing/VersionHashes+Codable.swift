import Foundation

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
