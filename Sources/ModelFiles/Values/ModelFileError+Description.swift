extension ModelFileError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason); look for it with: ls -ld \(Self.quoted(path))"
    case .empty(let path):
      "\(path): the file is empty; restore it with: git checkout -- \(Self.quoted(path))"
    case .tooLarge(let path, let what, let limit):
      "\(path): \(what) exceeds the limit of \(limit)"
    case .syntax(let location, let message):
      "\(location): not well-formed XML: \(message);"
        + " check it with: xmllint --noout \(Self.quoted(location.file))"
    case .conflictMarkers(let location):
      "\(location): merge conflict markers; resolve them, then run: git add \(Self.quoted(location.file))"
    case .propertyListInsteadOfXML(let path):
      "\(path): a property list, not a model in XML; name the bundle or the file called “elements” or “.mom” instead"
    case .unexpectedRoot(let location, let name):
      "\(location): the root element is <\(name)>, a model's is <model>; name the “contents” file of a version"
    case .missingName(let location, let element):
      "\(location): this <\(element)> has no name; add name=\"…\""
    case .compositeCycle(let location, let names):
      "\(location): composite types contain each other: \(names.joined(separator: " → "));"
        + " take one out of another"
    case .brokenPropertyList(let path, let reason):
      "\(path): not a readable property list: \(reason);"
        + " restore it with: git checkout -- \(Self.quoted(path))"
    case .brokenArchive(let path, let reason):
      "\(path): not a readable model archive: \(reason); name the “contents” file it was made from"
    case .noVersions(let bundle):
      "\(bundle): the bundle holds no model version; look at it with: ls -a \(Self.quoted(bundle))"
    case .currentVersionMissing(let bundle, let name, let versions):
      "\(bundle)/.xccurrentversion: names “\(name)”, which is not in the bundle; name one of \(Self.list(versions))"
    case .noCurrentVersion(let bundle, let versions):
      "\(bundle): no .xccurrentversion says which version is current; name one of \(Self.list(versions))"
    case .noBundle(let folder):
      "\(folder): no model bundle is in this folder or below it; name one with: --model PATH"
    case .notAModel(let path):
      "\(path): not a model; name a bundle, a version, a “contents” file, a .mom or a .momd"
    case .mapping(let location, let defect):
      "\(location): \(defect)"
    case .unknownVersion(let name, let folder, let candidates):
      candidates.isEmpty
        ? "no model version “\(name)”: no model bundle was found under \(folder); name one with: --model PATH"
        : "no model version “\(name)” under \(folder); did you mean \(Self.list(candidates))?"
    case .ambiguous(let name, let candidates):
      "“\(name)” could be \(Self.list(candidates)); write one of these instead"
    case .git(let argument, let reason):
      "\(argument): git: \(reason); list what is there with: git ls-tree -r --name-only REV"
    }
  }

  private static func list(_ names: [String]) -> String { NameList.text(names.map { "“\($0)”" }) }

  /// A path as a shell takes it, whatever it holds.
  private static func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

extension ModelFileError {
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
