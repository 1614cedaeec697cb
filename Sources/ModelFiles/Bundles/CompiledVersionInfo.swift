public import Foundation

/// What the `VersionInfo.plist` of a compiled bundle records of its versions.
public struct CompiledVersionInfo: Hashable, Sendable {
  /// `NSManagedObjectModel_CurrentVersionName`.
  public let currentVersionName: String?
  /// `NSManagedObjectModel_VersionHashes`: the entities' hashes by version.
  public let hashes: [String: [String: Data]]
  /// `NSManagedObjectModel_VersionChecksums`: the checksum by version; only newer bundles have it.
  public let checksums: [String: String]

  init(_ list: PropertyList) {
    guard case .dictionary(let values) = list else {
      (currentVersionName, hashes, checksums) = (nil, [:], [:])
      return
    }
    currentVersionName = values["NSManagedObjectModel_CurrentVersionName"]?.string
    hashes = (values["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:])
      .compactMapValues { $0.dictionary?.compactMapValues(\.data) }
    checksums = (values["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:]).compactMapValues(\.string)
  }
}
