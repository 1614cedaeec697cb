public import MappingModels
package import ModelDescription
public import ModelFiles

/// Who migrates the stores of an app: each runs steps that the other cannot.
public enum MigrationReader: String, Hashable, Sendable, CaseIterable, Encodable {
  /// Core Data in the app: it infers, and runs the mapping models that Xcode compiles, with the app's policy classes.
  case coreData
  /// modelctl, as a command or as a library: it infers, and runs mapping models of every form.
  case modelctl

  /// What people call it.
  public var name: String { self == .coreData ? "Core Data" : "modelctl" }

  private static let both = MigrationReader.allCases
  private static let onlyCoreData = [MigrationReader.coreData]
  private static let onlyModelctl = [MigrationReader.modelctl]

  /// The readers that can; asked once for each step of every pair of versions.
  fileprivate static func list(coreData: Bool, modelctl: Bool) -> [MigrationReader] {
    switch (coreData, modelctl) {
    case (true, true): both
    case (true, false): onlyCoreData
    case (false, true): onlyModelctl
    case (false, false): []
    }
  }
}

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
    /// The mapping model that somebody wrote, nil when the step is inferred.
    let trial: MappingTrial?

    /// The path of the mapping model's file, nil when the step is inferred.
    public var mappingPath: String? { trial?.path }

    /// What the mapping model says; nil when the step is inferred, and where several mapping models lead over it.
    public var model: MappingModel? { trial?.model }

    /// True for a step by a mapping file, which Core Data does not read.
    public var isByFile: Bool { trial?.isMappingFile ?? false }

    /// Why modelctl does not run the mapping model of the step as it is here; nil where it does, and for inferred steps.
    public var refusal: MigrationRefusal? { trial?.refusal }

    /// Who can run it as it is here.
    public var readers: [MigrationReader] { MigrationReader.list(coreData: !isByFile, modelctl: refusal == nil) }

    /// What distinguishes the mapping model of a step from those of others; nil when the step is inferred.
    package var mappingIdentity: ObjectIdentifier? { trial.map { ObjectIdentifier($0) } }
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

  /// Who can run every step.
  public var readers: [MigrationReader] {
    var (coreData, modelctl) = (isReachable, isReachable)
    for step in steps {
      guard let trial = step.trial else { continue }
      coreData = coreData && !trial.isMappingFile
      modelctl = modelctl && trial.refusal == nil
    }
    return MigrationReader.list(coreData: coreData, modelctl: modelctl)
  }

  /// True unless it is impossible.
  public var isReachable: Bool { kind != .impossible }

  /// The versions between that are passed.
  public var passed: [LoadedVersion] { steps.dropLast().map(\.destination) }
}

extension MigrationVerdict.Break {
  /// Why the step cannot be made, with the element, Core Data's words and what to do.
  public var reason: String { words.sentence }

  /// Why the step cannot be made, and what to do.
  package var words: ErrorWords { cause.words }
}

extension MigrationVerdict.Break.Cause {
  /// Why the step cannot be made, and what to do.
  package var words: ErrorWords {
    switch self {
    case .inference(let failure): failure.words
    case .mappingModel(let refusal): refusal.words
    }
  }
}
