import Foundation
public import ModelDescription

/// The reason why a model could not be read.
public enum ModelFileError: Error, Hashable, Sendable {
  /// The file or folder cannot be opened.
  case unreadable(path: String, reason: String)
  /// The file has no bytes.
  case empty(path: String)
  /// The file, or its expanded content, exceeds a limit.
  case tooLarge(path: String, what: String, limit: Int)
  /// The text is not well-formed XML.
  case syntax(location: SourceLocation, message: String)
  /// The file can be read but not edited, because its text is not in UTF-8.
  case notUTF8(path: String, encoding: String)
  /// The file can be read but not edited, because it has a document type or an element of 1,000 attributes.
  case notEditable(path: String)
  /// The file contains both sides of a merge.
  case conflictMarkers(location: SourceLocation)
  /// The file is a property list instead of XML.
  case propertyListInsteadOfXML(path: String)
  /// The root element is not that of a model.
  case unexpectedRoot(location: SourceLocation, name: String)
  /// An element does not have the name that it must have.
  case missingName(location: SourceLocation, element: String)
  /// A composite type contains itself.
  case compositeCycle(location: SourceLocation, names: [String])
  /// The property list cannot be decoded.
  case brokenPropertyList(path: String, PropertyListError)
  /// The archive can be decoded, but contains no model in a known format.
  case brokenArchive(path: String, reason: String)
  /// The bundle contains no version.
  case noVersions(bundle: String)
  /// The bundle's `.xccurrentversion` names a version that does not exist.
  case currentVersionMissing(bundle: String, name: String, versions: [String])
  /// The bundle has several versions and does not name the current one.
  case noCurrentVersion(bundle: String, versions: [String])
  /// The folder and its subfolders contain no bundle.
  case noBundle(folder: String)
  /// The folder to compare with, and its subfolders, contain no bundle.
  case noBundleInBase(folder: String)
  /// The path exists and is not a model; it may be a store.
  case notAModel(path: String)
  /// A mapping model's file is wrong at a location.
  case mapping(location: SourceLocation, finding: MappingFileFinding)
  /// No version has this name.
  case unknownVersion(name: String, folder: String, candidates: [String])
  /// Several models have the name.
  case ambiguous(name: String, candidates: [String])
  /// Git could not read the model.
  case git(argument: String, reason: String)

  /// The reason if the system refuses to read a file.
  static let readingFailed = "reading failed"

  /// The reason of ``git(argument:reason:)`` if git is not installed.
  static let noGit = "git could not be started"

  /// The error of a path that could not be opened, by the system's last error.
  static func unopened(_ path: String, missing: String = CommonWords.missingFile) -> ModelFileError {
    .unreadable(path: path, reason: [ENOENT, ENOTDIR].contains(errno) ? missing : readingFailed)
  }

  /// The cause without the path of the archive.
  var archiveReason: String {
    switch self {
    case .brokenPropertyList(_, let error): error.description
    case .brokenArchive(_, let reason): reason
    default: description
    }
  }
}

extension ModelFileError: AdvisedError {
  /// The location in the file, or the file or folder; nil if the cause names it.
  public var place: String? { location?.description ?? path }

  /// The cause as a sentence, without the place.
  public var cause: String { words.cause }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? { words.advice }

  /// The place and the cause, and the remedy.
  package var locatedWords: ErrorWords { ErrorWords((place.map { "\($0): " } ?? "") + words.cause, words.advice) }

  /// The cause without the place, and the remedy.
  package var words: ErrorWords {
    switch self {
    case .unreadable(_, let reason):
      [CommonWords.missingFile, CommonWords.missingPath].contains(reason)
        ? .init(reason)
        : .init("cannot be read: \(reason)", reason == Self.readingFailed ? "check its permissions" : nil)
    case .empty(let path): .init("the file is empty", Self.restoring(path))
    case .tooLarge(_, let what, let limit): .init("\(what) exceeds the limit of \(limit)")
    case .syntax(let location, let message):
      .init(
        "not well-formed XML: \(message)",
        "check the file: \(run: "xmllint", "--noout", Self.argument(location.file))")
    case .notUTF8(let path, let encoding):
      .init(
        "the text is in \(encoding), and only UTF-8 can be edited",
        """
        convert the file: \
        \(run: "xmllint", "--encode", "UTF-8", "--output", Self.argument(path), Self.argument(path))
        """)
    case .notEditable:
      .init(
        "only a file without a document type, and with fewer than 1,000 attributes per element, can be edited",
        "remove the document type or the extra attributes first")
    case .conflictMarkers(let location):
      .init(
        "the file has merge conflict markers",
        "resolve the conflicts, then stage the file: \(run: "git", "add", Self.argument(location.file))")
    case .propertyListInsteadOfXML:
      .init("the file is a property list, not a model in XML", "name the bundle, or the file “elements” or “.mom”")
    case .unexpectedRoot(_, let name):
      .init("the root element is <\(name)> instead of <model>", "name the “contents” file of a version")
    case .missingName(_, let element): .init("this <\(element)> has no name", "add name=\"…\"")
    case .compositeCycle(_, let names):
      .init("composite types contain each other: \(names.joined(separator: " → "))", "remove one from another")
    case .brokenPropertyList(let path, let error): .init("not a readable property list: \(error)", Self.restoring(path))
    case .brokenArchive(_, let reason):
      .init("not a readable model archive: \(reason)", "name the “contents” file that it was made from")
    case .noVersions: .init("the bundle contains no model version")
    case .currentVersionMissing(_, let name, let versions):
      .init("the current version “\(name)” is not in the bundle", "name one of \(Self.list(versions))")
    case .noCurrentVersion(_, let versions):
      .init("no .xccurrentversion names the current version", "name one of \(Self.list(versions))")
    case .noBundle(let folder):
      .init(
        "this folder and its subfolders contain no model bundle",
        SwiftDataSources.advice(inFolder: folder) ?? "name a bundle: \(option: "--model", "PATH")")
    case .noBundleInBase:
      .init("this folder and its subfolders contain no model bundle", "name a folder or a git revision that has one")
    case .notAModel(let path) where SwiftDataSources.isFile(path):
      .init(SwiftDataSources.cause, SwiftDataSources.advice)
    case .notAModel: .init("not a model", "name a bundle, a version, a “contents” file, a .mom or a .momd")
    case .mapping(_, let finding): finding.words
    case .unknownVersion(let name, let folder, let candidates):
      candidates.isEmpty
        ? .init(
          "\(Self.unknown(name, folder)), because it contains no model bundle",
          "name a bundle: \(option: "--model", "PATH")")
        : .init("\(Self.unknown(name, folder)); \(NearNames.advice(for: name, candidates))")
    case .ambiguous(let name, let candidates):
      .init("“\(name)” could be \(Self.list(candidates))", "write one of these names instead")
    case .git(let argument, Self.noGit):
      .init("\(argument): \(Self.noGit)", "install git, or name a file or a folder instead of a revision")
    case .git(let argument, let reason):
      .init(
        "\(argument): git: \(reason)",
        "list the files of a revision: \(run: "git", "ls-tree", "-r", "--name-only", "REV")")
    }
  }

  private static func unknown(_ name: String, _ folder: String) -> String {
    CommonWords.unknown("model version", name, in: BundlePath.words(folder), near: [])
  }

  /// Advice whose command runs in any folder: git finds the repository from the file's folder.
  private static func restoring(_ path: String) -> Advice {
    // The committed file may be as unreadable, and this one is short enough to be written.
    if BundlePath.lastComponent(path) == CurrentVersionFile.name, !GitAdvice.isChanged(path) {
      return "write it, with the name of the current version: \(command: CurrentVersionFile.writing(path))"
    }
    let (folder, name) = (BundlePath.parent(path), BundlePath.lastComponent(path))
    return folder == "."
      ? "restore it: \(run: "git", "checkout", "--", name)"
      : "restore it: \(run: "git", "-C", argument(folder), "checkout", "--", name)"
  }

  private static func list(_ names: [String]) -> String { NameList.text(names.map { "“\($0)”" }) }

  /// A path that no program takes for an option.
  private static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}

extension ModelFileError {
  /// The file or folder that the error is about; nil if the cause names it.
  package var path: String? {
    switch self {
    case .unreadable(let path, _), .empty(let path), .tooLarge(let path, _, _), .propertyListInsteadOfXML(let path),
      .brokenPropertyList(let path, _), .brokenArchive(let path, _), .notAModel(let path),
      .notUTF8(let path, _), .notEditable(let path):
      path
    case .noVersions(let bundle), .noCurrentVersion(let bundle, _): bundle
    case .currentVersionMissing(let bundle, _, _): "\(bundle)/.xccurrentversion"
    case .noBundle(let folder), .noBundleInBase(let folder): folder
    default: location?.file
    }
  }

  /// The location in a text file; nil for a file without lines.
  public var location: SourceLocation? {
    switch self {
    case .syntax(let location, _), .conflictMarkers(let location), .unexpectedRoot(let location, _),
      .missingName(let location, _), .compositeCycle(let location, _), .mapping(let location, _):
      location
    default: nil
    }
  }
}

extension ModelFileError: LocatedError {
  /// The location in a text file, and the cause with the remedy.
  package var located: (location: SourceLocation, words: String)? { location.map { ($0, words.sentence) } }
}
