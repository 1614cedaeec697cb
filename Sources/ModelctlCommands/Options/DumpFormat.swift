import ArgumentParser
import Foundation
import ModelKit

/// The formats of a dump.
enum DumpFormat: String, ExpressibleByArgument, CaseIterable {
  case json
  case jsonl
  case csv
  case sqlite
  case postgresql

  init?(extensionOf path: String) {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    default: return nil
    }
  }

  /// How the name of a file of the form ends.
  var fileExtension: String {
    switch self {
    case .json, .jsonl, .csv: rawValue
    case .sqlite, .postgresql: "sql"
    }
  }

  /// The form in the library.
  var form: DumpForm {
    switch self {
    case .json: .json
    case .jsonl: .jsonLines
    case .csv: .csv
    case .sqlite: .sql(.sqlite)
    case .postgresql: .sql(.postgresql)
    }
  }
}
