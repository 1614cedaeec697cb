import Foundation
import GRDB
import MigrationSQL
import ModelDescription
package import PersistentStores

/// The files of external binary data that a save adds and removes.
///
/// A new file is on the disk before the transaction ends, and an old file is removed after the transaction, so that no
/// row ever names a missing file. A note next to the folder names the files from before the first file until the end.
/// After a crash, the next opening of the store cleans up with this note.
public final class ExternalFiles {
  /// Data with more bytes than this is stored in a file; Core Data can read any choice.
  ///
  /// Core Data's own limit is a heuristic; an experiment found 128 KB: couchbase-lite-ios, issue 526.
  public static let threshold = 128 * 1024

  private enum Content {
    case data(Data)
    /// The content of a different file, because no two rows share a file.
    case copy(path: String)
  }

  private let path: String
  private let folder: String
  private let files: any FileOperations
  /// False to choose names without writing files, for a save that is only tried.
  private let isKept: Bool
  private var added: [(name: String, content: Content)] = []
  private var obsolete: [String] = []
  private var note: SavingNote?
  private let nextName: () -> String

  /// Watches the files of a store.
  public convenience init(ofStore path: String) { self.init(ofStore: path, SystemFiles()) }

  package init(
    ofStore path: String, _ files: any FileOperations = SystemFiles(), isKept: Bool = true,
    names: @escaping () -> String = { UUID().uuidString }
  ) {
    (self.path, folder) = (path, ExternalData.folder(ofStore: path))
    (self.files, self.isKept, nextName) = (files, isKept, names)
  }

  /// Gives data a file of a new name.
  func add(_ data: Data) -> Data { add(.data(data)) }

  /// Copies the file that a value names.
  func copy(_ reference: Data) throws(RecordWritingError) -> Data {
    guard let name = ExternalData.fileName(in: reference) else { return reference }
    let path = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { throw .externalFileMissing(path: path) }
    return add(.copy(path: path))
  }

  private func add(_ content: Content) -> Data {
    let name = nextName()
    added.append((name, content))
    return Data([2]) + Data(name.utf8) + Data([0])
  }

  /// Says that no row names a file any more, once the save is done.
  func retire(_ reference: Data) { if let name = ExternalData.fileName(in: reference) { obsolete.append(name) } }

  /// Writes the new files, and waits until they and their names are on the disk, before the transaction ends.
  func settle() throws(RecordWritingError) {
    guard isKept, !added.isEmpty || !obsolete.isEmpty && FileManager.default.fileExists(atPath: folder) else { return }
    try makeFolder((folder as NSString).deletingLastPathComponent)
    try makeFolder(folder)
    let note = SavingNote(ofStore: path, names: added.map(\.name) + obsolete)
    self.note = note
    try doing(note.place) { files throws(FileError) in try note.write(files) }
    for (name, content) in added {
      let path = "\(folder)/\(name)"
      let data = try data(of: content)
      try doing(path) { files throws(FileError) in
        try files.write(data, to: path)
        try files.synchronize(path)
      }
    }
    if !added.isEmpty { try doing(folder) { files throws(FileError) in try files.synchronize(folder) } }
  }

  private func data(of content: Content) throws(RecordWritingError) -> Data {
    switch content {
    case .data(let data): return data
    case .copy(let path):
      guard let data = ExternalData.content(ofFile: path) else { throw .externalFileMissing(path: path) }
      return data
    }
  }

  private func makeFolder(_ path: String) throws(RecordWritingError) {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try doing(path) { files throws(FileError) in
      try files.createFolder(path)
      try files.synchronize((path as NSString).deletingLastPathComponent)
    }
  }

  private func doing(
    _ path: String, _ work: (any FileOperations) throws(FileError) -> Void
  ) throws(RecordWritingError) {
    do {
      try work(files)
    } catch {
      switch error.code {
      case EACCES, EPERM, EROFS: throw .readOnlyFolder(path: (path as NSString).deletingLastPathComponent)
      default:
        throw .externalFile(path: path, cause: CaughtError(POSIXError(POSIXErrorCode(rawValue: error.code) ?? .EIO)))
      }
    }
  }

  /// Removes the files that no store names any more; call it after the transaction was committed.
  ///
  /// Files of a backup next to the store are kept as long as the backup exists. Files of another store next to it are
  /// always kept.
  public func finish() {
    guard note != nil, !obsolete.isEmpty else { return end(removing: []) }
    let owners = ExternalFileOwners(ofStore: path)
    let held = owners.heldByBackups(obsolete)
    let named = owners.namedByNeighbours(Set(obsolete).subtracting(held))
    end(removing: obsolete.filter { !held.contains($0) && !named.contains($0) }, keeping: held)
  }

  /// Removes the new files; call it if nothing was saved.
  public func discard() { end(removing: added.map(\.name)) }

  /// Removes files; those that cannot be removed now are kept in the note, which is removed when all files are.
  private func end(removing names: [String], keeping held: Set<String> = []) {
    guard let note else { return }
    var isDone = true
    for name in names {
      do throws(FileError) {
        try files.remove("\(folder)/\(name)")
      } catch {
        isDone = isDone && error.code == ENOENT
      }
    }
    if isDone, names.isEmpty || (try? files.synchronize(folder)) != nil { note.end(keeping: held, files) }
    (added, obsolete, self.note) = ([], [], nil)
  }
}

/// A note next to a folder of external data, with the names of the files that are being added or removed.
struct SavingNote {
  private static let prefix = "modelctl-save-"
  private static let mark = "store "

  private let path: String
  let place: String
  /// The store of the note; nil in a note of an older version.
  private let store: String?
  let names: [String]

  init(ofStore path: String, names: some Sequence<String>) {
    let support = (ExternalData.folder(ofStore: path) as NSString).deletingLastPathComponent
    self.path = path
    place = "\(support)/\(Self.prefix)\(UUID().uuidString)"
    (store, self.names) = (Self.name(ofStore: path, support), Array(names))
  }

  private init(reading place: String, ofStore path: String) {
    let text = ExternalData.content(ofFile: place).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let lines = text.split(separator: "\n").map(String.init)
    (self.path, self.place) = (path, place)
    // A name may have a line break, and never a slash.
    store = lines.first.flatMap { line in
      line.hasPrefix(Self.mark) ? line.dropFirst(Self.mark.count).replacingOccurrences(of: "/", with: "\n") : nil
    }
    names = lines.filter { UUID(uuidString: $0) != nil }
  }

  /// The notes that an opening of the store cleans up: its own notes, and notes of stores that are not next to it.
  ///
  /// Only another store with the same folder knows which of its files are committed.
  static func all(ofStore path: String) -> [SavingNote] {
    let support = (ExternalData.folder(ofStore: path) as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: support)) ?? []
    let own = name(ofStore: path, support)
    let notes = names.filter { $0.hasPrefix(prefix) }.sorted().map {
      SavingNote(reading: "\(support)/\($0)", ofStore: path)
    }
    let folder = (support as NSString).deletingLastPathComponent
    return notes.filter { note in note.store.map { $0 == own || FileStatus("\(folder)/\($0)") == nil } ?? true }
  }

  /// The store's name next to the folder, which can be the name of a link.
  private static func name(ofStore path: String, _ support: String) -> String {
    let given = URL(fileURLWithPath: path)
    let isBeside = ExternalData.support(beside: given).path == support
    return (isBeside ? given : URL(fileURLWithPath: StoreFiles.realPath(of: path))).lastPathComponent
  }

  func write(_ files: any FileOperations) throws(FileError) {
    let lines = (store.map { [Self.mark + $0.replacingOccurrences(of: "\n", with: "/")] } ?? []) + names
    try files.write(Data(lines.joined(separator: "\n").utf8), to: place)
    try files.synchronize(place)
    try files.synchronize((place as NSString).deletingLastPathComponent)
  }

  /// Removes the note, or rewrites it with the files that belong to a backup.
  func end(keeping held: Set<String>, _ files: any FileOperations) {
    if !held.isEmpty {
      let next = SavingNote(ofStore: path, names: held.sorted())
      guard (try? next.write(files)) != nil else { return }
    }
    try? files.remove(place)
  }
}

/// The leftover files of external data of saves that a crash ended, and of files that only a backup named.
///
/// Only files that a note of ``ExternalFiles`` names are considered, so files of other programs are never removed.
package struct ExternalLeftovers {
  private let folder: String
  private let notes: [SavingNote]
  private let owners: ExternalFileOwners

  /// Finds the notes; nil if none of them has any work, as after every completed save.
  package init?(ofStore path: String) {
    let notes = SavingNote.all(ofStore: path)
    guard !notes.isEmpty else { return nil }
    let (folder, owners) = (ExternalData.folder(ofStore: path), ExternalFileOwners(ofStore: path))
    (self.folder, self.owners) = (folder, owners)
    self.notes = notes.filter { note in
      let held = owners.heldByBackups(note.names)
      return held.isEmpty || note.names.contains { !held.contains($0) && FileStatus("\(folder)/\($0)") != nil }
    }
    guard !self.notes.isEmpty else { return nil }
  }

  /// Removes the files that no row names, and the notes.
  ///
  /// - Parameter reading: a reader in a transaction that excludes every other writer.
  package func remove(_ reading: RecordReading, _ files: any FileOperations) throws {
    let used = try usedNames(reading)
    for note in notes {
      let unused = Set(note.names).subtracting(used)
      let held = owners.heldByBackups(unused)
      let named = owners.namedByNeighbours(unused.subtracting(held))
      for name in note.names where unused.contains(name) && !held.contains(name) && !named.contains(name) {
        try? files.remove("\(folder)/\(name)")
      }
      note.end(keeping: held, files)
    }
  }

  private func usedNames(_ reading: RecordReading) throws -> Set<String> {
    let store = reading.store
    var used: Set<String> = []
    for entity in store.hierarchy.model.entities {
      for attribute in entity.attributes where attribute.allowsExternalBinaryDataStorage {
        let address = PropertyAddress(entity: entity.name, property: attribute.name)
        guard let column = store.place(.attribute(address))?.column.name, let table = store.table(ofEntity: entity.name)
        else { continue }
        let sql: SQLStatement = """
          SELECT \(name: column) FROM \(name: table.name) WHERE length(\(name: column)) = 38 \
          AND substr(\(name: column), 1, 1) = x'02'
          """
        let values = try Data.fetchCursor(reading.database, sql: sql.text)
        while let value = try values.next() { if let name = ExternalData.fileName(in: value) { used.insert(name) } }
      }
    }
    return used
  }
}
