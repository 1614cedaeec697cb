public import MappingModels
public import ModelFiles

/// Whether stores of one version can be brought to another, and how.
public struct MigrationVerdict: Sendable {
  /// How the one version is reached from the other.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Both have the same hashes: a store opens as it is.
    case same
    /// Inferred straight, as Core Data's automatic migration goes.
    case lightweight
    /// Inferred, but only through versions between.
    case staged
    /// A written mapping model is on the way.
    case mapped
    /// There is no way.
    case impossible
  }

  /// One step of the way.
  public struct Step: Sendable {
    /// The version it starts from.
    public let source: LoadedVersion
    /// The version it reaches.
    public let destination: LoadedVersion
    /// The path of the mapping model's file, nil when the step is inferred.
    public let mappingPath: String?
  }

  /// The step without which there is no way.
  public struct Break: Sendable {
    /// The version it would start from.
    public let source: LoadedVersion
    /// The version it would reach.
    public let destination: LoadedVersion
    /// Why it cannot be made.
    public let cause: Cause

    /// Why a step cannot be made.
    public enum Cause: Hashable, Sendable {
      /// Nothing is inferred.
      case inference(InferenceRefusal)
      /// A mapping model lies on it that cannot be used.
      case mappingModel(MigrationRefusal)
    }
  }

  /// The version that stores have.
  public let source: LoadedVersion
  /// The version they are to get.
  public let destination: LoadedVersion
  /// How it is reached.
  public let kind: Kind
  /// The fewest steps that lead there, in order; none when the two are the same or there is no way.
  public let steps: [Step]
  /// What stands in the way, nil unless it is impossible.
  public let refusal: Break?
  /// True where Core Data's own automatic migration goes straight from the one to the other.
  public let isInferable: Bool

  /// True unless it is impossible.
  public var isReachable: Bool { kind != .impossible }

  /// The versions between that are passed.
  public var passed: [LoadedVersion] { steps.dropLast().map(\.destination) }
}
