public import ModelFiles
public import PersistentStores

/// A version of a bundle as it is now, with the places of its elements.
public struct CheckedVersion: Sendable {
  /// The version's model with the places of its elements.
  public let file: ModelFile
  /// The version with its inheritance looked through and its hashes.
  public let known: KnownVersion

  /// Makes a checked version.
  public init(file: ModelFile, known: KnownVersion) {
    self.file = file
    self.known = known
  }

  /// The version's name.
  public var name: String { known.name }
}
