import Foundation

/// The forms of text that objects are loaded from.
public enum LoadForm: String, CaseIterable, Hashable, Sendable {
  /// A JSON store, or a list of objects.
  case json
  /// An object a line.
  case jsonl
  /// A table an entity: a file, or a folder of files.
  case csv

  /// The form that a file's name, or a folder, shows.
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
