public import ModelDescription
package import ModelFiles
public import PersistentStores

/// An error in the file of an atomic store, with its location.
public struct StoreDocumentError: Error, Hashable, Sendable {
  /// A location in the store.
  public enum Location: Hashable, Sendable {
    /// A line and a column of a text, both counted from 1.
    case line(Int, column: Int)
    /// An object, as the file names it, and its property.
    case object(String, property: String?)
    /// A byte, counted from 0.
    case byte(Int)
  }

  /// The cause of the error.
  public enum Finding: Hashable, Sendable {
    /// The file is not a valid store of its type; the text is the cause.
    case malformed(String)
    /// A part exceeds the limits of size or depth; the text is the cause.
    case oversized(String)
    /// The model lacks this entity.
    case unknownEntity(String, near: [String])
    /// The entity is abstract, so it cannot have objects.
    case abstractEntity(String)
    /// The entity lacks this property.
    case unknownProperty(String, entity: String, near: [String])
    /// Two names of the model are equal, because the store type does not distinguish upper and lower case.
    case ambiguousName(String, candidates: [String])
    /// Two objects have the same key.
    case duplicateKey(String)
    /// A link points to an object that does not exist.
    case danglingLink(String, property: String)
    /// A value is not valid for its attribute's type; the text is the value.
    case value(String, property: String, type: String)
    /// A whole number from 2^53 on is not in quotes.
    case unquotedNumber(String, property: String)
    /// An entry of the metadata is missing or invalid; the text is the cause.
    case metadata(String)
    /// A store type of the app failed with its own error.
    case kind(CaughtError)
  }

  /// The path of the file.
  public var path: String
  /// The location in the file; nil if the error is about the complete file.
  public var location: Location?
  /// The cause.
  public var finding: Finding
  /// The correction of the file, if the finding does not imply it.
  package var correction: Advice?

  /// Creates an error.
  public init(path: String, _ location: Location?, _ finding: Finding) {
    (self.path, self.location, self.finding) = (path, location, finding)
  }
}

extension StoreDocumentError: AdvisedError {
  /// The path of the file, and the location in it.
  public var place: String? {
    switch location {
    case .line(let line, let column): "\(path):\(line):\(column)"
    case .object(let object, nil): "\(path): \(object)"
    case .object(let object, let property?): "\(path): \(object): \(property)"
    case .byte(let byte): "\(path): byte \(byte)"
    case nil: path
    }
  }

  /// The cause as a sentence without the location.
  public var cause: String { finding.words.cause }

  /// The correction of the file; nil if the cause implies it.
  public var advice: Advice? { correction ?? finding.words.advice }
}

extension StoreDocumentError: LocatedError {
  /// The line and the column with the cause and the correction; nil if the location is not a line.
  package var located: (location: SourceLocation, words: String)? {
    guard case .line(let line, let column)? = location else { return nil }
    return (SourceLocation(file: path, line: line, column: column), ErrorWords(cause, advice).sentence)
  }
}

extension StoreDocumentError.Finding: CustomStringConvertible {
  /// The cause and the correction.
  public var description: String { words.sentence }

  fileprivate var words: ErrorWords {
    switch self {
    case .malformed(let cause), .metadata(let cause), .oversized(let cause): .init(cause)
    case .kind(let error):
      (error.error as? any AdvisedError).map { .init(($0.place.map { "\($0): " } ?? "") + $0.cause, $0.advice) }
        ?? .init(error.description)
    case .unknownEntity(let name, let near): .init(CommonWords.unknown("entity", name, in: "the model", near: near))
    case .abstractEntity(let name):
      .init("\(name) is abstract, so it cannot have objects", "use one of its subentities")
    case .unknownProperty(let name, let entity, let near):
      .init(CommonWords.unknown("property", name, in: entity, near: near))
    case .ambiguousName(let name, let candidates):
      .init("“\(name)” matches \(candidates.joined(separator: " and ")), which differ only in upper and lower case")
    case .duplicateKey(let object): .init("there are two objects \(object)")
    case .danglingLink(let object, let property): .init("\(property) points to \(object), which does not exist")
    case .value(let text, let property, let type):
      .init("“\(text)” is not a valid value of \(property), which has the type \(type)")
    case .unquotedNumber(let text, let property):
      .init(
        "“\(text)” is not a valid value of \(property): whole numbers from 2^53 on must be texts, so that they keep every digit",
        "write it in quotes")
    }
  }
}

extension StoreDocumentError {
  /// Translates an error in a file's XML.
  init(_ error: ModelFileError, path: String) {
    switch error {
    case .syntax(let location, let message):
      self.init(path: path, .line(location.line, column: location.column), .malformed("not valid XML: \(message)"))
    case .tooLarge(_, let what, let limit):
      self.init(path: path, nil, .oversized("\(what) exceeds the limit of \(limit)"))
    case .empty: self.init(path: path, nil, .malformed("the file is empty"))
    default: self.init(path: path, nil, .malformed(error.words.cause))
    }
  }

  /// Translates an error in the metadata, which is at a location.
  init(_ error: StoreError, path: String, at location: Location?) {
    guard case .metadata(_, let metadata) = error else {
      self.init(path: path, location, .metadata("the metadata cannot be read"))
      return
    }
    switch metadata {
    case .noVersionHashes: self.init(path: path, location, .metadata("the metadata lacks NSStoreModelVersionHashes"))
    case .hash(let entity, let bytes):
      self.init(path: path, location, .metadata("the version hash of \(entity) has \(bytes) bytes instead of 32"))
    default: self.init(path: path, location, .metadata("the metadata cannot be read"))
    }
  }
}
