import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import PersistentStores

/// A text of objects that can be read several times.
struct LoadSource {
  let path: String
  let format: LoadFormat
  /// The entity of objects that do not name one.
  let entity: String?
  let interruption: (@Sendable () -> Bool)?

  /// The content of a JSON store besides its objects.
  struct Head {
    /// The store's metadata, and its location.
    var metadata: (value: StoreMetadata, location: SourceLocation)?
    var lastKeys: [(root: JSONMember, key: Int64)] = []
  }

  /// Reads the objects, one after the other.
  ///
  /// - Parameter body: called with each object.
  /// - Throws: ``LoadError`` and errors of files if the text is not complete, and the errors of `body`.
  @discardableResult
  func read(_ model: LoadModel, _ body: (TextObject) throws -> Void) throws -> Head {
    let body: (TextObject) throws -> Void = { object in
      if interruption?() == true { throw StoreError.interrupted(path: path) }
      try body(object)
    }
    switch format {
    case .json: return try JSONInput(path: path, entity: entity).read(body)
    case .jsonl:
      try JSONLines(path: path, entity: entity).read(body)
      return Head()
    case .csv:
      for file in try tables() {
        let name = entity ?? URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        try CSVInput(path: file, entity: name, model: model).read(body)
      }
      return Head()
    }
  }

  private func tables() throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [path]
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw LoadError.unreadableFolder(path: path)
    }
    let tables = names.filter {
      !$0.hasPrefix(".") && ["csv", "tsv"].contains(($0 as NSString).pathExtension.lowercased())
    }
    guard !tables.isEmpty else { throw LoadError.noTables(path: path) }
    return tables.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
  }
}

struct TextObject {
  /// The name of its entity; nil if neither the text nor the caller names one.
  let entity: (name: String, location: SourceLocation)?
  /// Its key and properties, and the member that names the entity, if there is one.
  let members: [JSONMember]
  let location: SourceLocation
  /// Whether missing properties lack a value; false if they have their defaults.
  let isComplete: Bool
  /// The elements that the text does not name although it names other elements, by composite attribute.
  var unsaid: [String: [[String]]] = [:]
}

/// The forms of text that objects are loaded from.
public enum LoadFormat: String, CaseIterable, Hashable, Sendable {
  /// A JSON store, or a list of objects.
  case json
  /// An object a line.
  case jsonl
  /// A table an entity: a file, or a folder of files.
  case csv

  /// The format that a file's name, or a folder, shows.
  ///
  /// - Parameter path: the file or the folder.
  public init?(of path: String) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      self = .csv
      return
    }
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv", "tsv": self = .csv
    default: return nil
    }
  }
}
