import ArgumentParser
import Foundation

/// Writes Swift code from models.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write Swift code for a model.",
    usage: "modelctl generate <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl generate swift Orders@v6 --output Sources/App/Orders.swift
        modelctl generate types Orders@v6 --output Sources/App/Entities
        modelctl generate types Orders --stored --output Sources/App/Entities

      swift writes the model itself, with the same hashes. types writes a struct for
      each entity. If you edited a generated file, modelctl replaces it only with
      --overwrite.
      """,
    subcommands: [GenerateSwift.self, GenerateTypes.self])
}

/// The origin of generated code in its comments, without the folders outside the bundle.
struct GeneratedOrigin {
  private let bundle: String
  private let version: String?
  /// The word in comments for a file outside a bundle.
  private let file: String?

  /// Reads the path of a model file: `Orders.xcdatamodeld/v6.xcdatamodel/contents`, `Orders.momd/v6.mom` or any other
  /// path.
  init(path: String) {
    let parts = path.split { $0 == "/" || $0 == ":" }.map(String.init)
    let named = parts.map { ($0 as NSString).deletingPathExtension }
    let kinds = parts.map { ($0 as NSString).pathExtension.lowercased() }
    let bundle = kinds.lastIndex { ["xcdatamodeld", "momd"].contains($0) }
    let version = kinds.lastIndex { ["xcdatamodel", "mom"].contains($0) }
    switch (bundle, version) {
    case (let bundle?, let version?) where version > bundle:
      (self.bundle, self.version) = (named[bundle], named[version])
    case (_, let version?): (self.bundle, self.version) = (named[version], nil)
    case (let bundle?, nil): (self.bundle, self.version) = (named[bundle], nil)
    default: (self.bundle, self.version) = (named.last ?? "Model", nil)
    }
    file = bundle == nil && version == nil ? parts.last : nil
  }

  /// `Orders, version v6`.
  var words: String { version.map { "\(bundle), version \($0)" } ?? file ?? bundle }

  /// `OrdersV6`, or only the name of the version if it contains the name of the bundle.
  var typeName: String {
    guard let version else { return bundle }
    if version.hasPrefix(bundle) { return version }
    return bundle + version.prefix(1).uppercased() + version.dropFirst()
  }
}
