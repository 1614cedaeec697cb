public import MappingModels
import ModelDescription
public import ModelFiles
package import PersistentStores

/// A migration path from a single version to another.
public struct MigrationPath: Sendable {
  /// The parts of the path in their order; each is migrated in one go.
  public let parts: [PathPart]
  /// The reason why the path skips versions; nil if it visits all of them.
  public let detour: Detour?

  /// The reason why a path does not visit every version between its ends.
  public struct Detour: Hashable, Sendable {
    /// The names of the versions that the path visits; empty if the path is direct.
    public let passed: [String]
    /// The step that is not possible.
    public let refusal: Refusal
  }

  /// A step between two versions that is not possible on a path.
  public struct Refusal: Error, Hashable, Sendable {
    /// The version before the step.
    public let source: String
    /// The version after it.
    public let destination: String
    /// The reason why it is not possible.
    public let cause: Cause

    /// The reason why a step is not possible.
    public enum Cause: Hashable, Sendable {
      /// Nothing is inferred.
      case inference(InferenceRefusal)
      /// The mapping cannot be combined with the mappings of the steps before it.
      case composition(CompositionRefusal)
    }
  }

  /// The versions on the path, source first, destination last.
  public var versions: [LoadedVersion] {
    (parts.first.map { [$0.source] } ?? []) + parts.flatMap { $0.versions.dropFirst() }
  }
}

/// The version of a store and the possible destinations, restricted to the store's configuration.
package struct SourceVersion {
  package let version: LoadedVersion
  /// The bundle's versions, restricted to the store's configuration.
  package let versions: [LoadedVersion]
  /// The destination, restricted to the store's configuration.
  package let destination: LoadedVersion

  /// Takes what a store was identified as; nil if nothing holds the store's model.
  ///
  /// - Parameter identification: what the store was identified as, among the versions.
  package init?(_ identification: StoreIdentification, among versions: [LoadedVersion], to destination: LoadedVersion) {
    if let version = identification.version {
      guard let configuration = identification.configuration else {
        (self.version, self.versions, self.destination) = (version, versions, destination)
        return
      }
      guard let restricted = version.restricted(toConfiguration: configuration),
        let target = destination.restricted(toConfiguration: configuration)
      else { return nil }
      self.version = restricted
      self.versions = versions.compactMap { $0.restricted(toConfiguration: configuration) }
      self.destination = target
      return
    }
    guard let model = identification.model,
      let cached = try? LoadedVersion(bundle: "", name: "cached model", isCurrent: false, model: model)
    else { return nil }
    (version, self.versions, self.destination) = (cached, versions, destination)
  }
}

extension MigrationPath.Detour: CustomStringConvertible {
  /// The reason as a sentence, without its full stop.
  public var description: String {
    passed.isEmpty
      ? "the migration skips the versions in between, because \(refusal)"
      : "of the versions in between, the migration uses only \(passed.joined(separator: ", ")), because \(refusal)"
  }
}

extension MigrationPath.Refusal: CustomStringConvertible {
  /// The step and the cause in one clause.
  public var description: String {
    let words =
      switch cause {
      case .inference(let failure): failure.words.sentence
      case .composition(let refusal): refusal.description
      }
    return "the step from \(source) to \(destination) cannot be inferred: \(words)"
  }
}
