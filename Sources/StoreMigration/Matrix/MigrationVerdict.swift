public import MappingModels
package import ModelDescription
public import ModelFiles

/// The program that migrates the stores of an app: each can run steps that the other cannot.
public enum MigrationReader: String, Hashable, Sendable, CaseIterable, Encodable {
  /// Core Data in the app: it infers, and runs the mapping models that Xcode compiles, with the app's policy classes.
  case coreData
  /// modelctl, as a command or as a library: it infers, and runs mapping models of every form.
  case modelctl

  /// The name for people.
  public var name: String { self == .coreData ? "Core Data" : "modelctl" }

  private static let both = MigrationReader.allCases
  private static let onlyCoreData = [MigrationReader.coreData]
  private static let onlyModelctl = [MigrationReader.modelctl]

  /// The readers that can run a step; called once for each step of every pair of versions.
  fileprivate static func list(coreData: Bool, modelctl: Bool) -> [MigrationReader] {
    switch (coreData, modelctl) {
    case (true, true): both
    case (true, false): onlyCoreData
    case (false, true): onlyModelctl
    case (false, false): []
    }
  }
}

/// The migration path from a single version to another, or the reason why no path exists.
public struct MigrationVerdict: Sendable {
  /// The kind of the migration path.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Both versions have the same hashes: a store opens without a migration.
    case same
    /// Inferred directly, as Core Data's automatic migration does.
    case lightweight
    /// Inferred, but only through versions in between.
    case staged
    /// A custom mapping model is on the path.
    case mapped
    /// No migration path exists.
    case impossible
  }

  /// One step of the path.
  public struct Step: Sendable {
    /// The source version of the step.
    public let source: LoadedVersion
    /// The destination version of the step.
    public let destination: LoadedVersion
    /// The custom mapping model; nil if the step is inferred.
    let trial: MappingTrial?

    /// The path of the mapping model's file, nil if the step is inferred.
    public var mappingPath: String? { trial?.path }

    /// The content of the mapping model; nil if the step is inferred or has several mapping models.
    public var model: MappingModel? { trial?.model }

    /// True for a step by a mapping file, which Core Data does not read.
    public var isByFile: Bool { trial?.isMappingFile ?? false }

    /// The reason why modelctl cannot run the mapping model of the step; nil if it can, and for inferred steps.
    public var refusal: MigrationRefusal? { trial?.refusal }

    /// The programs that can run the step in its present state.
    public var readers: [MigrationReader] { MigrationReader.list(coreData: !isByFile, modelctl: refusal == nil) }

    /// The identity of the step's mapping model; nil if the step is inferred.
    package var mappingIdentity: ObjectIdentifier? { trial.map { ObjectIdentifier($0) } }
  }

  /// The step that breaks the path.
  public struct Break: Sendable {
    /// The source version of the step.
    public let source: LoadedVersion
    /// The destination version of the step.
    public let destination: LoadedVersion
    /// The reason why it is not possible.
    public let cause: Cause

    /// The reason why a step is not possible.
    public enum Cause: Hashable, Sendable {
      /// The step cannot be inferred.
      case inference(InferenceRefusal)
      /// The step has a mapping model that cannot be used.
      case mappingModel(MigrationRefusal)
    }
  }

  /// The source version.
  public let source: LoadedVersion
  /// The destination version.
  public let destination: LoadedVersion
  /// The kind of the path.
  public let kind: Kind
  /// The steps of the shortest path, in order; empty if both versions are the same or no path exists.
  public let steps: [Step]
  /// The step that fails; nil unless the verdict is impossible.
  public let refusal: Break?
  /// True if Core Data's automatic migration can migrate directly from the source to the destination.
  public let isInferable: Bool

  /// The programs that can run every step.
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

  /// The versions in between that the path visits.
  public var passed: [LoadedVersion] { steps.dropLast().map(\.destination) }
}

extension MigrationVerdict.Break {
  /// The cause with the element and Core Data's words, and the remedy with its commands and options.
  public var reason: String { words.sentence }

  /// The cause, and the remedy.
  package var words: ErrorWords { cause.words }
}

extension MigrationVerdict.Break.Cause {
  /// The cause, and the remedy.
  package var words: ErrorWords {
    switch self {
    case .inference(let failure): failure.words
    case .mappingModel(let refusal): refusal.words
    }
  }
}
