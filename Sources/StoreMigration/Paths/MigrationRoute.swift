public import MappingModels
public import ModelFiles

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
