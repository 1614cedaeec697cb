import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import StoreContents
import TestSupport

/// A store, and an anonymous copy of it.
struct AnonymousStore {
  let folder: TemporaryFolder
  let hierarchy: EntityHierarchy
  var path: String { folder.path("store.sqlite") }

  /// Makes a store with synthetic rows.
  init(_ model: ManagedObjectModel, rows: Int = 60) throws {
    folder = try TemporaryFolder()
    hierarchy = try EntityHierarchy(model)
    try StoreCreator(of: hierarchy).create(
      at: folder.path("store.sqlite"), filling: rows > 0 ? SyntheticRows(seed: 7, rowsPerEntity: rows) : nil)
  }

  /// Takes a copy of a store with its external data.
  init?(copying store: URL, of versions: [LoadedVersion]) throws {
    folder = try TemporaryFolder()
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: folder.path("store.sqlite\(suffix)"))
    }
    let reader = try StoreReader(path: folder.path("store.sqlite"))
    defer { reader.close() }
    guard let model = try reader.identify(among: versions).model else { return nil }
    hierarchy = try EntityHierarchy(model)
  }

  /// Makes an anonymous copy.
  @discardableResult
  func anonymize(_ rules: String = "", seed: UInt64 = 3, to name: String = "copy.sqlite") throws -> String {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let rules = try AnonymizationRules(reading: rules, path: "rules")
    try Anonymization(of: hierarchy, rules: rules, seed: seed).copy(reader, to: folder.path(name))
    return folder.path(name)
  }

  func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.read(body)
  }

  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    var configuration = Configuration()
    // What is deleted stays in free pages, as it does wherever SQLite does not overwrite it.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = OFF") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      TriggerFunctions.register(in: database)
      try database.execute(sql: sql, arguments: arguments)
    }
    try queue.close()
  }

  /// One value of a store.
  func value(_ sql: String, in path: String? = nil) throws -> DatabaseValue? {
    try read(path ?? self.path) { try DatabaseValue.fetchOne($0, sql: sql) }
  }

  /// The findings of a verification.
  func problems(_ path: String) throws -> [StoreFinding] {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    return try reader.verify(against: hierarchy)
  }

  /// Every text of four characters or more that a store holds: in its tables, in the archives there and in the app's own
  /// entries of the metadata, those of the schema left out.
  func texts(besides kept: Set<String> = []) throws -> Set<String> {
    var found: Set<String> = []
    var schema: Set<String> = []
    try read(path) { database in
      for row in try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master") {
        for column in 0...1 { if let text = String.fromDatabaseValue(row[column]) { schema.insert(text) } }
      }
      schema.formUnion(try String.fetchAll(database, sql: "SELECT Z_NAME FROM Z_PRIMARYKEY"))
      for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
      where !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains(table) && !table.hasPrefix("sqlite_") {
        for row in try Row.fetchAll(database, sql: "SELECT * FROM \(SQLIdentifier(table))") {
          for value in row.databaseValues {
            switch value.storage {
            case .string(let text): found.insert(text)
            case .blob(let bytes): found.formUnion(Self.texts(inArchive: bytes))
            case .null, .int64, .double: break
            }
          }
        }
      }
    }
    let metadata = try read(path) { try StoreMetadata(reading: $0, path: path) }
    // A short text of digits may stand in the store's UUID, which stays.
    let entries = metadata.entries.filter { $0.key.hasPrefix("NS") || $0.key.hasPrefix("_NS") }
    for (name, value) in metadata.entries where entries[name] == nil {
      schema.insert(name)
      Self.add(value, to: &found, names: &schema)
    }
    // Every archive has these words.
    schema.formUnion(["NSKeyedArchiver", "$archiver", "$objects", "$version", "$top", "$null", "root"])
    let known = schema.joined(separator: "\n") + "\(entries) \(metadata.uuid)"
    return found.filter { text in text.count >= 4 && !kept.contains(text) && !known.contains(text) }
  }

  /// The texts of an archive of plain values, behind the mark of external data or without one.
  private static func texts(inArchive bytes: Data) -> Set<String> {
    let archive = Data(bytes.first == 1 ? bytes.dropFirst() : bytes)
    guard archive.starts(with: Data("bplist00".utf8)) else { return [] }
    return (try? ArchivedValue(archive: archive)).map { texts(in: $0) } ?? []
  }

  private static func texts(in value: ArchivedValue) -> Set<String> {
    switch value {
    case .string(let text): [text]
    case .array(let members): Set(members.flatMap { texts(in: $0) })
    case .dictionary(let members): Set(members.keys).union(members.values.flatMap { texts(in: $0) })
    case .integer, .double, .boolean, .date, .data, .uuid, .null: []
    }
  }

  /// Takes in the texts of an entry of the metadata, and the names in it, which stay.
  private static func add(_ value: PropertyList, to found: inout Set<String>, names: inout Set<String>) {
    switch value {
    case .string(let text): found.insert(text)
    case .array(let members): for member in members { add(member, to: &found, names: &names) }
    case .dictionary(let members):
      names.formUnion(members.keys)
      for member in members.values { add(member, to: &found, names: &names) }
    default: break
    }
  }

  /// Leaves the log of a write beside the store, as a program does that is killed.
  func log(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      TriggerFunctions.register(in: database)
      try database.execute(sql: sql)
    }
    try keep("-wal")
    try queue.close()
    try putBack("-wal")
  }

  /// Leaves a write half done, with the journal beside the store that takes it back, as a program does that is killed.
  func journal(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { database in
      TriggerFunctions.register(in: database)
      for setting in ["journal_mode = DELETE", "cache_size = 1", "cache_spill = 1"] {
        _ = try Row.fetchOne(database, sql: "PRAGMA \(setting)")
      }
      // What the cache has no room for is written before the transaction ends.
      for sql in ["BEGIN IMMEDIATE", sql, "CREATE TABLE MORE (bytes)", "INSERT INTO MORE VALUES (zeroblob(100000))"] {
        try database.execute(sql: sql)
      }
      try keep("-journal")
      try database.execute(sql: "ROLLBACK")
    }
    try queue.close()
    try putBack("-journal")
  }

  private func keep(_ suffix: String) throws {
    for file in ["", suffix].map({ path + $0 }) {
      try FileManager.default.copyItem(atPath: file, toPath: file + ".kept")
    }
  }

  private func putBack(_ suffix: String) throws {
    for file in ["", suffix].map({ path + $0 }) {
      try? FileManager.default.removeItem(atPath: file)
      try FileManager.default.moveItem(atPath: file + ".kept", toPath: file)
    }
  }

  /// The texts of which the bytes are in a store, its log or its external files: in UTF-8, and in UTF-16 of both orders.
  static func found(_ texts: Set<String>, in path: String) throws -> [String] {
    let files = ["", "-wal", "-journal"].map { URL(fileURLWithPath: path + $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    let bytes = try (files + external(ofStore: path)).map { try [UInt8](Data(contentsOf: $0)) }
    var wanted: [[UInt8]: [(bytes: [UInt8], text: String)]] = [:]
    for text in texts {
      for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
        let form = [UInt8](text.data(using: encoding) ?? Data())
        wanted[Array(form.prefix(4)), default: []].append((form, text))
      }
    }
    let heads = Set(wanted.keys.map(word))
    var found: Set<String> = []
    for file in bytes where file.count >= 4 {
      for start in 0...(file.count - 4) where heads.contains(word(file[start..<(start + 4)])) {
        for (form, text) in wanted[Array(file[start..<(start + 4)])] ?? [] where file[start...].starts(with: form) {
          found.insert(text)
        }
      }
    }
    return found.sorted()
  }

  private static func external(ofStore path: String) -> [URL] {
    let store = URL(fileURLWithPath: path)
    let support = store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
    let names = FileManager.default.enumerator(atPath: support.path)?.compactMap { $0 as? String } ?? []
    return names.map { support.appendingPathComponent($0) }.filter { url in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && !isFolder.boolValue
    }
  }

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  /// The rows of the columns that say which objects there are and how they are linked, with the entities' numbers.
  func skeleton(_ path: String) throws -> [String] {
    try read(path) { database in
      let layout = BoundLayout(of: hierarchy, to: try StoreSnapshot(reading: database, counting: false)).layout
      return try layout.tables.flatMap { table in
        let names = table.columns.filter { if case .attribute = $0.role { false } else { true } }
          .map { SQLIdentifier($0.name).quoted }.joined(separator: ", ")
        let rows = try Row.fetchAll(
          database, sql: "SELECT \(names) FROM \(SQLIdentifier(table.name)) ORDER BY \(names)")
        return rows.map { "\(table.name) \($0)" }
      } + (try Row.fetchAll(database, sql: "SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT").map { "\($0)" })
    }
  }
}
