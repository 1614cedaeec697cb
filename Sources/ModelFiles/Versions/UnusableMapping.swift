public import ModelDescription

/// A mapping model's file that cannot be used; it is reported instead of being ignored.
public struct UnusableMapping: Error, Sendable {
  /// The kind of the obstacle.
  public enum Refusal: Sendable {
    /// The file is broken.
    case unreadable
    /// The file is between versions that are not here.
    case fitsNoVersions
    /// The file names two versions that differ from those it was made with.
    case drifted(source: LoadedVersion, destination: LoadedVersion)
  }

  /// The exact reason.
  public enum Cause: Sendable {
    /// Reading the file, or resolving it against its versions, ended with an error.
    case file(any Error)
    /// The file maps two versions by their paths, and no version here has the hashes of the models it was made with.
    case otherModels(source: String, destination: String)
    /// No two versions here have the hashes of the entities that the file maps.
    case otherEntities
    /// The two versions of the file are in different bundles.
    case severalBundles
    /// The file names a version that is not here.
    case unknownVersion(String, near: [String])
    /// The versions of the file were edited since it was made.
    case editedReleases(source: String, destination: String)
    /// An entity of a version has another hash than the file states.
    case editedEntity(String, version: String, hash: String?)
  }

  /// The path of the file.
  public let path: String
  /// The kind of the obstacle.
  public let refusal: Refusal
  /// The exact reason; ``cause`` is its text.
  public let reason: Cause
  /// The file that is wrong: the file of the path, or a file inside its bundle.
  public let file: String
  /// The location in that file; nil if the error is about the complete file.
  public let location: SourceLocation?

  /// Makes an unusable mapping.
  public init(path: String, refusal: Refusal, cause: Cause, file: String? = nil, at location: SourceLocation? = nil) {
    (self.path, self.refusal, self.reason) = (path, refusal, cause)
    self.file = file ?? path
    self.location = location
  }

  /// The command that writes a mapping file for the versions as they are; nil if the path is that of a mapping file.
  package var writtenAgain: Advice.Command? {
    guard case .drifted(let source, let destination) = refusal, MappingPath.form(of: path) != .document else {
      return nil
    }
    let names = [source, destination].map { version in
      version.parts.isEmpty ? "\(version.bundleName)@\(version.name)" : version.name
    }
    return Advice.Command(["modelctl", "mapping", "new"] + names + ["--write"])
  }
}

extension UnusableMapping: AdvisedError {
  /// The location, or the file that is wrong.
  public var place: String? {
    switch reason {
    case .file(let error as ModelFileError): error.place
    case .file(let error as MappingFileError): error.place
    case .file: nil
    default: location?.description ?? file
    }
  }

  /// The cause as a sentence, without the place.
  public var cause: String { words.cause }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? { words.advice }

  /// The place and the cause, and the remedy.
  package var locatedWords: ErrorWords { ErrorWords((place.map { "\($0): " } ?? "") + words.cause, words.advice) }

  /// The cause without the place, and the remedy.
  package var words: ErrorWords {
    switch reason {
    case .file(let error as ModelFileError): error.words
    case .file(let error as MappingFileError): error.words
    case .file(let error): .init("\(error)")
    case .otherModels(let source, let destination):
      .init(
        """
        it maps \(source) to \(destination), but no version here has the hashes of the models that it was made with
        """, "name their bundle: \(option: "--model", "PATH")")
    case .otherEntities:
      .init(
        "no two versions here have the hashes of the entities that it maps",
        "name their bundle: \(option: "--model", "PATH")")
    case .severalBundles:
      .init(
        "its two versions are not in one bundle", "name a source and a destination that are versions of the same bundle"
      )
    case .unknownVersion(let name, let near):
      .init("there is no version “\(name)” here\(near.isEmpty ? "" : "; \(NearNames.advice(for: name, near))")")
    case .editedReleases(let source, let destination):
      .init(
        "it was made with other models than \(source) and \(destination) are now",
        "list the changes: \(run: "modelctl", "mapping", "check", file.hasPrefix("-") ? "./\(file)" : file)")
    case .editedEntity(let entity, let version, nil):
      .init("it states a hash for \(entity), which \(version) does not have any more", "remove this hash")
    case .editedEntity(let entity, let version, let hash?):
      .init(
        "the hash that it states for \(entity) is not that of \(entity) in \(version), which was edited since",
        "check the mapping, then state \(hash)")
    }
  }
}

extension UnusableMapping: Hashable {
  /// Two are equal if they have the same path and the same text.
  public static func == (first: Self, second: Self) -> Bool {
    first.path == second.path && first.description == second.description && first.advice == second.advice
  }

  /// Feeds the file's path to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
