public import MappingModels
import ModelDescription
public import ModelFiles
package import PersistentStores

/// The way from one version to another.
public struct MigrationRoute: Sendable {
  /// The parts of the way, each migrated at once, in their order.
  public let hops: [MigrationHop]
  /// Why not every version between is passed, when that is so.
  public let detour: Detour?

  /// Why a way does not pass every version between its ends.
  public struct Detour: Hashable, Sendable {
    /// The versions that it passes, by name; none where it goes straight.
    public let passed: [String]
    /// The step that cannot be taken.
    public let refusal: Refusal
  }

  /// A step between two versions that cannot be taken on the way to another.
  public struct Refusal: Error, Hashable, Sendable {
    /// The version before the step.
    public let source: String
    /// The version after it.
    public let destination: String
    /// Why it cannot be taken.
    public let cause: Cause

    /// Why a step cannot be taken.
    public enum Cause: Hashable, Sendable {
      /// Nothing is inferred.
      case inference(InferenceRefusal)
      /// The mapping does not go together with those of the steps before.
      case composition(CompositionRefusal)
    }
  }

  /// The versions on the way, source first, destination last.
  public var versions: [LoadedVersion] {
    (hops.first.map { [$0.source] } ?? []) + hops.flatMap { $0.versions.dropFirst() }
  }
}

/// The version of a store and the versions it may get, as a store of its configuration sees them.
package struct SourceVersion {
  package let version: LoadedVersion
  /// The bundle's versions, restricted to the store's configuration.
  package let versions: [LoadedVersion]
  /// The version to reach, restricted likewise.
  package let destination: LoadedVersion

  /// Takes what a store was identified as; nil when nothing holds the store's model.
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

extension MigrationRoute.Detour: CustomStringConvertible {
  /// The reason as one sentence.
  public var description: String {
    passed.isEmpty
      ? "the migration skips the versions in between, because \(refusal)"
      : "of the versions in between, the migration uses only \(passed.joined(separator: ", ")), because \(refusal)"
  }
}

extension MigrationRoute.Refusal: CustomStringConvertible {
  /// The step and the cause in one clause.
  public var description: String {
    let words =
      switch cause {
      case .inference(let failure): failure.words.cause
      case .composition(let refusal): refusal.description
      }
    return "\(source) → \(destination) cannot be inferred: \(words)"
  }
}
