public import MappingModels

/// Why Core Data's staged migration cannot go a way.
public enum StagedMigrationRefusal: Error, Hashable, Sendable {
  /// There is no step to go.
  case tooFewVersions([String])
  /// Two versions are one to Core Data, which refuses to have a checksum in two stages.
  case duplicateChecksum(String, versions: [String])
  /// Between its handlers a custom stage is an ordinary inferred migration, and this step is none.
  case notInferable(from: String, to: String, InferenceRefusal)
  /// A mapping model of a step cannot be used, or there are several.
  case mapping(MigrationRefusal)
}

extension StagedMigrationRefusal: CustomStringConvertible {
  /// The cause and the next thing to do.
  public var description: String {
    switch self {
    case .tooFewVersions(let names):
      "there is no step between versions (\(names.joined(separator: ", "))), so there is nothing to stage"
    case .duplicateChecksum(let checksum, let versions):
      """
      \(versions.joined(separator: " and ")) have the same checksum \(checksum), which Core Data refuses as \
      “Duplicate version checksums across stages detected”; set a version hash modifier in the later one
      """
    case .notInferable(let source, let destination, let failure):
      """
      \(source) → \(destination) cannot be inferred, so it cannot be staged: \(failure); add a version between them that \
      has both the old and the new property, copy in a stage to it, and drop the old property after it
      """
    case .mapping(let refusal): refusal.description
    }
  }
}
