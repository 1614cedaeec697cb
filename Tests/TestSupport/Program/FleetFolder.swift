import Foundation
import GRDB

/// A folder of small stores, made by copying a few seeds and giving each copy an identity of its own.
package struct FleetFolder {
  package let workspace: SampleFolder
  package let name: String
  /// The stores that can be migrated, by their paths from the workspace.
  package private(set) var stores: [String] = []
  /// The seed of each.
  package private(set) var seeds: [String: String] = [:]

  /// The versions that stores are made of: one that stays, schema changes in place, rewritten rows, a written mapping.
  package static let versions = ["Todo@v1", "Todo@v2", "Staff@v1", "Family@v1", "Orders@v1", "Orders@v4"]

  package init(_ name: String = "Stores", in workspace: SampleFolder) throws {
    self.workspace = workspace
    self.name = name
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// Adds stores, thousand a folder.
  package mutating func add(_ count: Int, of versions: [String] = FleetFolder.versions) throws {
    for version in versions where !FileManager.default.fileExists(atPath: path(Self.seed(version))) {
      try workspace.makeStore(Self.seed(version), version: version, rows: 4)
    }
    for number in stores.count..<stores.count + count {
      let version = versions[number % versions.count]
      let store = "\(name)/\(number / 1000)/tenant-\(number).sqlite"
      try FileManager.default.createDirectory(
        atPath: path("\(name)/\(number / 1000)"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: path(Self.seed(version)), toPath: path(store))
      try run("UPDATE Z_METADATA SET Z_UUID = '\(Self.uuid(number))'", on: store)
      stores.append(store)
      seeds[store] = Self.seed(version)
    }
  }

  /// The identity that a store was given.
  package static func uuid(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  package static func seed(_ version: String) -> String { "seed-\(version).sqlite" }

  package func path(_ name: String) -> String { workspace.url.appendingPathComponent(name).path }

  /// Runs a statement in a store.
  package func run(_ sql: String, on store: String) throws {
    let queue = try DatabaseQueue(path: path(store))
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF; " + sql) }
    try queue.close()
  }

  /// Everything in a store's tables but its identity, so that two can be compared.
  package func content(of store: String) throws -> [String] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path(store), configuration: configuration)
    let lines = try queue.read { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
      return try tables.flatMap { table in
        let columns = table == "Z_METADATA" ? "Z_VERSION, hex(Z_PLIST)" : "*"
        return [table]
          + (try Row.fetchAll(database, sql: "SELECT \(columns) FROM \"\(table)\"").map(\.description)).sorted()
      }
    }
    try queue.close()
    return lines
  }

  /// The identity in a store.
  package func uuid(of store: String) throws -> String? {
    let queue = try DatabaseQueue(path: path(store))
    defer { try? queue.close() }
    return try queue.read { try String.fetchOne($0, sql: "SELECT Z_UUID FROM Z_METADATA") }
  }

  /// Adds a store of a model that is not among those in `Models`.
  package func addStrange(_ store: String) throws {
    try workspace.write(
      "<model><entity name=\"Stranger\"><attribute name=\"x\" attributeType=\"String\" optional=\"YES\"/></entity></model>",
      to: "Elsewhere/Strange.xcdatamodel/contents")
    let result = try workspace.modelctl("create", store, "--model", "Elsewhere/Strange.xcdatamodel")
    guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["reason": result.standardError]) }
  }
}

/// The lines of `--format json` about many stores.
package struct FleetLines {
  package let stores: [JSONValue]
  package let summary: JSONValue?

  package init(_ text: String) throws {
    let lines = try text.split(separator: "\n").map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    stores = lines.filter { $0["kind"] == .string("store") }
    summary = lines.last.flatMap { $0["kind"] == .string("summary") ? $0 : nil }
  }

  /// The paths of the stores that ended so.
  package func paths(_ outcome: String) -> [String] {
    stores.filter { $0["outcome"] == .string(outcome) }.compactMap { $0["path"]?.text }.sorted()
  }

  /// A number of the summary.
  package func count(_ key: String) -> Int? {
    guard case .integer(let number)? = summary?[key] else { return nil }
    return Int(number)
  }
}
