package import ModelDescription

/// A mapping model's file that cannot be used, which must not go unnoticed where it would have been.
public struct UnusableMapping: Error, Sendable {
  /// What keeps it from being used.
  public enum Refusal: Sendable {
    /// The file itself is broken.
    case unreadable
    /// It is between versions that are not here.
    case fitsNoVersions
    /// It names two versions, and they are not what it was made with.
    case drifted(source: LoadedVersion, destination: LoadedVersion)
  }

  /// What exactly is wrong.
  public enum Cause: Sendable {
    /// Reading the file, or resolving it against its versions, ended with an error.
    case file(any Error)
    /// It maps two versions by their paths, and no version here has the hashes of the models it was made with.
    case otherModels(source: String, destination: String)
    /// No two versions here have the hashes of the entities that it maps.
    case otherEntities
    /// Its two versions are in different bundles.
    case severalBundles
    /// It names a version that is not here.
    case unknownVersion(String, near: [String])
    /// Its versions were edited since it was made.
    case editedReleases(source: String, destination: String)
    /// An entity of a version has another hash than it states.
    case editedEntity(String, version: String, hash: String?)
  }

  /// The path of the file.
  public let path: String
  /// What keeps it from being used.
  public let refusal: Refusal
  /// What exactly is wrong with it.
  public let cause: Cause
  /// The file that is wrong: the one of the path, or one inside its bundle.
  public let file: String
  /// The place in that file, nil for the whole of it.
  public let location: SourceLocation?

  /// Makes an unusable mapping.
  public init(path: String, refusal: Refusal, cause: Cause, file: String? = nil, at location: SourceLocation? = nil) {
    (self.path, self.refusal, self.cause) = (path, refusal, cause)
    self.file = file ?? path
    self.location = location
  }

  /// The command that writes a mapping file for the versions as they are; nil where a mapping file is there already.
  package var writtenAgain: String? {
    guard case .drifted(let source, let destination) = refusal, MappingPath.form(of: path) != .document else {
      return nil
    }
    let names = [source, destination].map { version in
      ShellWord(version.parts.isEmpty ? "\(version.bundleName)@\(version.name)" : version.name).text
    }
    return "modelctl mapping new \(names.joined(separator: " ")) --write"
  }
}

extension UnusableMapping: CustomStringConvertible {
  /// The place, what is wrong, and what to do.
  public var description: String { locatedWords.sentence }

  /// The place and what is wrong, and what to do.
  package var locatedWords: ErrorWords {
    switch cause {
    case .file(let error as ModelFileError): error.locatedWords
    case .file(let error as MappingFileError): error.locatedWords
    case .file: words
    default: ErrorWords("\(location?.description ?? file): \(words.cause)", words.advice)
    }
  }

  /// What is wrong without the place, and what to do.
  package var words: ErrorWords {
    switch cause {
    case .file(let error as ModelFileError): error.words
    case .file(let error as MappingFileError): error.words
    case .file(let error): .init("\(error)")
    case .otherModels(let source, let destination):
      .init(
        """
        it maps \(source) to \(destination), and no version here has the hashes of the models it was made with
        """, "name their bundle with --model PATH")
    case .otherEntities:
      .init("no two versions here have the hashes of the entities it maps", "name their bundle with --model PATH")
    case .severalBundles:
      .init(
        "its two versions are not in one bundle", "name a source and a destination that are versions of the same bundle"
      )
    case .unknownVersion(let name, let near):
      .init("there is no version “\(name)” here", near.isEmpty ? nil : "\(NearNames.advice(for: name, near))")
    case .editedReleases(let source, let destination):
      .init(
        "made with other models than \(source) and \(destination) are now",
        "see what changed with: \(command: "modelctl mapping check \(ShellWord(path: file).text)")")
    case .editedEntity(let entity, let version, let hash):
      .init(
        "the hash it states for \(entity) is not that of \(entity) in \(version), which was edited since",
        "check the mapping, then state \(hash ?? "none, as the entity is gone")")
    }
  }
}

extension UnusableMapping: Hashable {
  /// Two are equal that say the same of one file.
  public static func == (first: Self, second: Self) -> Bool {
    first.path == second.path && first.description == second.description
  }

  /// Feeds the file's path to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
