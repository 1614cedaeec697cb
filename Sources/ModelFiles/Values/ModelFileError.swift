package import ModelDescription

/// Why a model could not be read.
public enum ModelFileError: Error, Hashable, Sendable {
  /// The file or folder cannot be opened.
  case unreadable(path: String, reason: String)
  /// The file has no bytes.
  case empty(path: String)
  /// The file, or what it expands to, passes a limit.
  case tooLarge(path: String, what: String, limit: Int)
  /// The text is not well-formed XML.
  case syntax(location: SourceLocation, message: String)
  /// The file can be read and not be edited, because its text is in another encoding than UTF-8.
  case notUTF8(path: String, encoding: String)
  /// The file can be read and not be edited, because it has a document type or an element of 1,000 attributes.
  case notEditable(path: String)
  /// The file still holds both sides of a merge.
  case conflictMarkers(location: SourceLocation)
  /// A property list stands where XML is expected.
  case propertyListInsteadOfXML(path: String)
  /// The XML is of another kind.
  case unexpectedRoot(location: SourceLocation, name: String)
  /// An element that must have a name has none.
  case missingName(location: SourceLocation, element: String)
  /// A composite type contains itself.
  case compositeCycle(location: SourceLocation, names: [String])
  /// The property list cannot be decoded.
  case brokenPropertyList(path: String, PropertyListError)
  /// The archive decodes, but holds no model in a form that is known.
  case brokenArchive(path: String, reason: String)
  /// The bundle holds no version.
  case noVersions(bundle: String)
  /// The bundle's `.xccurrentversion` names a version that is not there.
  case currentVersionMissing(bundle: String, name: String, versions: [String])
  /// The bundle has several versions and does not say which is current.
  case noCurrentVersion(bundle: String, versions: [String])
  /// There is no bundle under the folder.
  case noBundle(folder: String)
  /// The path exists and is no form of a model; it may be a store.
  case notAModel(path: String)
  /// A mapping model's file is wrong at a place.
  case mapping(location: SourceLocation, finding: MappingFileFinding)
  /// No version of this name was found.
  case unknownVersion(name: String, folder: String, candidates: [String])
  /// Several models answer to the name.
  case ambiguous(name: String, candidates: [String])
  /// Git could not give the model.
  case git(argument: String, reason: String)

  /// What is wrong with an archive, without the file it stands in.
  var archiveReason: String {
    switch self {
    case .brokenPropertyList(_, let error): error.description
    case .brokenArchive(_, let reason): reason
    default: description
    }
  }
}

extension ModelFileError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String { locatedWords.sentence }

  /// The place and the cause, and what to try next.
  package var locatedWords: ErrorWords {
    guard let place = location?.description ?? path else { return words }
    return ErrorWords("\(place): \(words.cause)", words.advice)
  }

  /// The cause without the place, and what to try next.
  package var words: ErrorWords {
    switch self {
    case .unreadable(let path, let reason):
      .init("cannot be read: \(reason)", "look for it with: \(command: "ls -ld \(Self.quoted(path))")")
    case .empty(let path): .init("the file is empty", Self.restoring(path))
    case .tooLarge(_, let what, let limit): .init("\(what) exceeds the limit of \(limit)")
    case .syntax(let location, let message):
      .init(
        "not well-formed XML: \(message)",
        "check it with: \(command: "xmllint --noout \(Self.quoted(location.file))")")
    case .notUTF8(let path, let encoding):
      .init(
        "the text is in \(encoding), and only UTF-8 can be edited",
        "write it so with: \(command: "xmllint --encode UTF-8 --output \(Self.quoted(path)) \(Self.quoted(path))")")
    case .notEditable:
      .init(
        "only a file without a document type, and with fewer than 1,000 attributes an element, can be edited",
        "take them out first")
    case .conflictMarkers(let location):
      .init("merge conflict markers", "resolve them, then run: \(command: "git add \(Self.quoted(location.file))")")
    case .propertyListInsteadOfXML:
      .init("a property list, not a model in XML", "name the bundle or the file called “elements” or “.mom” instead")
    case .unexpectedRoot(_, let name):
      .init("the root element is <\(name)>, a model's is <model>", "name the “contents” file of a version")
    case .missingName(_, let element): .init("this <\(element)> has no name", "add name=\"…\"")
    case .compositeCycle(_, let names):
      .init("composite types contain each other: \(names.joined(separator: " → "))", "take one out of another")
    case .brokenPropertyList(let path, let error): .init("not a readable property list: \(error)", Self.restoring(path))
    case .brokenArchive(_, let reason):
      .init("not a readable model archive: \(reason)", "name the “contents” file it was made from")
    case .noVersions(let bundle):
      .init("the bundle holds no model version", "look at it with: \(command: "ls -a \(Self.quoted(bundle))")")
    case .currentVersionMissing(_, let name, let versions):
      .init("names “\(name)”, which is not in the bundle", "name one of \(Self.list(versions))")
    case .noCurrentVersion(_, let versions):
      .init("no .xccurrentversion says which version is current", "name one of \(Self.list(versions))")
    case .noBundle: .init("no model bundle is in this folder or below it", "name one with: --model PATH")
    case .notAModel: .init("not a model", "name a bundle, a version, a “contents” file, a .mom or a .momd")
    case .mapping(_, let finding): finding.words
    case .unknownVersion(let name, let folder, let candidates):
      candidates.isEmpty
        ? .init(
          "no model version “\(name)”: no model bundle was found under \(BundlePath.words(folder))",
          "name one with: --model PATH")
        : .init(
          "no model version “\(name)” under \(BundlePath.words(folder))", "\(NearNames.advice(for: name, candidates))")
    case .ambiguous(let name, let candidates):
      .init("“\(name)” could be \(Self.list(candidates))", "write one of these instead")
    case .git(let argument, let reason):
      .init("\(argument): git: \(reason)", "list what is there with: \(command: "git ls-tree -r --name-only REV")")
    }
  }

  /// From wherever the command is run, as git looks for the repository at the file's folder.
  private static func restoring(_ path: String) -> Advice {
    // The file that was committed may be as unreadable, and this one is short enough to be written.
    if BundlePath.lastComponent(path) == CurrentVersionFile.name, !GitAdvice.isChanged(path) {
      return "write it, with the name of the current version: \(command: CurrentVersionFile.writing(path))"
    }
    let folder = BundlePath.parent(path)
    let place = folder == "." ? "" : "-C \(quoted(folder)) "
    return "restore it with: \(command: "git \(place)checkout -- \(quoted(BundlePath.lastComponent(path)))")"
  }

  private static func list(_ names: [String]) -> String { NameList.text(names.map { "“\($0)”" }) }

  /// A path as a shell takes it, whatever it holds.
  private static func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

extension ModelFileError {
  /// The file or folder that the error is about, nil where the cause names it.
  package var path: String? {
    switch self {
    case .unreadable(let path, _), .empty(let path), .tooLarge(let path, _, _), .propertyListInsteadOfXML(let path),
      .brokenPropertyList(let path, _), .brokenArchive(let path, _), .notAModel(let path),
      .notUTF8(let path, _), .notEditable(let path):
      path
    case .noVersions(let bundle), .noCurrentVersion(let bundle, _): bundle
    case .currentVersionMissing(let bundle, _, _): "\(bundle)/.xccurrentversion"
    case .noBundle(let folder): folder
    default: location?.file
    }
  }

  /// The place in a text file, when the cause has one.
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
  /// The location in a text file, the cause and what to try next.
  package var located: (location: SourceLocation, words: String)? { location.map { ($0, words.sentence) } }
}
