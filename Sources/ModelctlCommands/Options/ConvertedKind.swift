import ArgumentParser
import Foundation
import ModelKit

/// The kinds that a store can be converted to.
enum ConvertedKind: String, ExpressibleByArgument, CaseIterable {
  case sqlite
  case json
  case xml
  case binary

  init?(extensionOf path: String) {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "sqlite", "sqlite3", "db": self = .sqlite
    case "json": self = .json
    case "xml": self = .xml
    case "binary", "paw": self = .binary
    default: return nil
    }
  }

  /// The kind in the library; nil for SQLite.
  var kind: (any StoreKind)? { StoreKinds.builtIn.first { $0.name.lowercased() == rawValue } }
}
