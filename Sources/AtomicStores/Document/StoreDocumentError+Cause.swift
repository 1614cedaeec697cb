import ModelDescription
import ModelFiles
import PersistentStores

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
    case .noVersionHashes:
      self.init(path: path, place, .metadata("the metadata lacks NSStoreModelVersionHashes"))
    case .hash(let entity, let bytes):
      self.init(path: path, place, .metadata("the version hash of \(entity) has \(bytes) bytes, not 32"))
    default: self.init(path: path, place, .metadata("the metadata cannot be read"))
    }
  }
}
