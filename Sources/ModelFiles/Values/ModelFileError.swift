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
  case brokenPropertyList(path: String, reason: String)
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
  case mapping(location: SourceLocation, defect: MappingDefect)
  /// No version of this name was found.
  case unknownVersion(name: String, folder: String, candidates: [String])
  /// Several models answer to the name.
  case ambiguous(name: String, candidates: [String])
  /// Git could not give the model.
  case git(argument: String, reason: String)
}
