import ModelDescription
package import ModelFiles
public import PersistentStores

/// What is wrong with a store that is read as a whole, and where.
public struct StoreDocumentError: Error, Hashable, Sendable {
  /// Where in the store.
  public enum Place: Hashable, Sendable {
    /// A line and a column of a text, both from 1.
    case line(Int, column: Int)
    /// An object, as the file names it, and its property.
    case object(String, property: String?)
    /// A byte, from 0.
    case byte(Int)
  }

  /// What is wrong.
  public enum Finding: Hashable, Sendable {
    /// The file is no store of its kind; the sentence says what it is not.
    case malformed(String)
    /// A part is larger or nested deeper than any store's.
    case oversized(String)
    /// The model has no such entity.
    case unknownEntity(String, near: [String])
    /// The entity is abstract, so that no object can be of it.
    case abstractEntity(String)
    /// The entity has no such property.
    case unknownProperty(String, entity: String, near: [String])
    /// Two names of the model are the same where the kind knows no upper and lower case.
    case ambiguousName(String, candidates: [String])
    /// Two objects have one key.
    case duplicateKey(String)
    /// A link leads to an object that is not there.
    case danglingLink(String, property: String)
    /// A value is none of its attribute's type; the text is what was found.
    case value(String, property: String, type: String)
    /// A whole number from 2^53 on stands without quotes.
    case unquotedNumber(String, property: String)
    /// The metadata lacks something, or has something else in its place.
    case metadata(String)
    /// A kind of an app's own failed with an error of its own.
    case kind(CaughtError)
  }

  /// The file.
  public var path: String
  /// Where in it; nil when it is about the whole file.
  public var place: Place?
  /// What is wrong.
  public var finding: Finding

  /// Names what is wrong, and where.
  public init(path: String, _ place: Place?, _ finding: Finding) {
    (self.path, self.place, self.finding) = (path, place, finding)
  }
}

extension StoreDocumentError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String { "\(location): \(finding)" }

  private var location: String {
    switch place {
    case .line(let line, let column): "\(path):\(line):\(column)"
    case .object(let object, nil): "\(path): \(object)"
    case .object(let object, let property?): "\(path): \(object): \(property)"
    case .byte(let byte): "\(path): byte \(byte)"
    case nil: path
    }
  }
}

extension StoreDocumentError: LocatedError {
  /// The line and the column, the cause and what to do.
  package var located: (location: SourceLocation, words: String)? {
    guard case .line(let line, let column)? = place else { return nil }
    return (SourceLocation(file: path, line: line, column: column), finding.description)
  }
}

extension StoreDocumentError.Finding: CustomStringConvertible {
  /// The cause and what to do.
  public var description: String {
    switch self {
    case .malformed(let cause), .metadata(let cause): cause
    case .oversized(let cause): cause
    case .kind(let error): error.description
    case .unknownEntity(let name, let near): "the model has no entity “\(name)”\(Self.hint(near))"
    case .abstractEntity(let name): "\(name) is abstract, and no object can be of it; name an entity below it"
    case .unknownProperty(let name, let entity, let near): "\(entity) has no property “\(name)”\(Self.hint(near))"
    case .ambiguousName(let name, let candidates):
      "“\(name)” stands for \(candidates.joined(separator: " and ")), which differ only by upper and lower case"
    case .duplicateKey(let object): "there are two objects \(object)"
    case .danglingLink(let object, let property): "\(property) leads to \(object), which is not there"
    case .value(let text, let property, let type): "“\(text)” is no value for \(property), which is of type \(type)"
    case .unquotedNumber(let text, let property):
      "“\(text)” is no value for \(property): whole numbers from 2^53 on are texts, so that they keep every digit; "
        + "write it in quotes"
    }
  }

  private static func hint(_ near: [String]) -> String {
    NearNames.clause(near)
  }
}

extension StoreDocumentError {
  /// What is wrong with a file's XML.
  init(_ error: ModelFileError, path: String) {
    switch error {
    case .syntax(let location, let message):
      self.init(path: path, .line(location.line, column: location.column), .malformed("no XML: \(message)"))
    case .tooLarge(_, let what, let limit):
      self.init(path: path, nil, .oversized("\(what) exceeds the limit of \(limit)"))
    case .empty: self.init(path: path, nil, .malformed("the file is empty"))
    default: self.init(path: path, nil, .malformed(error.words.cause))
    }
  }

  /// What is wrong with the entries of a file's metadata, which stand at a place.
  init(_ error: StoreError, path: String, at place: Place?) {
    guard case .metadata(_, let metadata) = error else {
      self.init(path: path, place, .metadata("the metadata cannot be read"))
      return
    }
    switch metadata {
    case .noVersionHashes: self.init(path: path, place, .metadata("the metadata lacks NSStoreModelVersionHashes"))
    case .hash(let entity, let bytes):
      self.init(path: path, place, .metadata("the version hash of \(entity) has \(bytes) bytes, not 32"))
    default: self.init(path: path, place, .metadata("the metadata cannot be read"))
    }
  }
}
