import ArgumentParser
import Foundation
import ModelKit

/// The store types that `convert` can write.
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

  /// The store type in the library, or nil for SQLite.
  var kind: (any StoreKind)? { StoreKinds.builtIn.first { $0.name.lowercased() == rawValue } }
}
