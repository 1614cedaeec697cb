import Foundation
import GRDB
import MigrationSQL
import ModelDescription
package import PersistentStores

/// The files of external binary data that a save adds and takes away.
///
/// A new file is on the disk before the transaction ends, an old one goes after it, so that no row ever names a file that is
/// not there. What a crash leaves behind is named in a note that lies beside the folder from before the first file until all
/// is done; the next opening of the store goes through it.
public final class ExternalFiles {
  /// Data above this many bytes gets a file; any choice is one that Core Data reads.
  ///
  /// Core Data's own limit is a heuristic; an experiment found 128 KB: couchbase-lite-ios, issue 526.
  public static let threshold = 128 * 1024

  private enum Content {
    case data(Data)
    /// What another file holds, because no two rows share one.
    case copy(path: String)
  }

  private let folder: String
  private let support: String
  private let files: any FileOperations
  /// False where only names are given, because the save is tried and not kept.
  private let isKept: Bool
  private var added: [(name: String, content: Content)] = []
  private var obsolete: [String] = []
  private var note: String?
  private let nextName: () -> String

  /// Watches the files of a store.
  public convenience init(ofStore path: String) { self.init(ofStore: path, SystemFiles()) }

  package init(
    ofStore path: String, _ files: any FileOperations = SystemFiles(), isKept: Bool = true,
    names: @escaping () -> String = { UUID().uuidString }
  ) {
    folder = ExternalData.folder(ofStore: path)
    support = (folder as NSString).deletingLastPathComponent
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
    try makeFolder(support)
    try makeFolder(folder)
    let note = "\(support)/\(ExternalLeftovers.prefix)\(UUID().uuidString)"
    self.note = note
    let names = (added.map(\.name) + obsolete).joined(separator: "\n")
    try doing(note) { files throws(FileError) in
      try files.write(Data(names.utf8), to: note)
      try files.synchronize(note)
      try files.synchronize(support)
    }
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
      guard let data = FileManager.default.contents(atPath: path) else { throw .externalFileMissing(path: path) }
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

  /// Takes the files away that no row names any more; call it when the transaction has ended well.
  public func finish() { end(removing: obsolete) }

  /// Takes the new files away; call it when nothing was saved.
  public func discard() { end(removing: added.map(\.name)) }

  /// What cannot be removed now stays in the note, which goes when all else has gone from the disk.
  private func end(removing names: [String]) {
    guard let note else { return }
    var isDone = true
    for name in names {
      do throws(FileError) {
        try files.remove("\(folder)/\(name)")
      } catch {
        isDone = isDone && error.code == ENOENT
      }
    }
    if isDone, names.isEmpty || (try? files.synchronize(folder)) != nil { try? files.remove(note) }
    (added, obsolete, self.note) = ([], [], nil)
  }
}

/// The files of external data of saves that a crash ended: new ones that no row names, and old ones that were to go.
///
/// Only files that a note of ``ExternalFiles`` names are looked at, so that nothing of another program is ever removed.
package struct ExternalLeftovers {
  static let prefix = "modelctl-save-"

  private let folder: String
  private let notes: [String]

  /// Looks for notes; nil when there is none, as after every save that ended.
  package init?(ofStore path: String) {
    folder = ExternalData.folder(ofStore: path)
    let support = (folder as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: support)) ?? []
    notes = names.filter { $0.hasPrefix(Self.prefix) }.sorted().map { "\(support)/\($0)" }
    guard !notes.isEmpty else { return nil }
  }

  /// Removes the files that no row names, and the notes.
  ///
  /// - Parameter reading: reads in a transaction that keeps every other writer away.
  package func remove(_ reading: RecordReading, _ files: any FileOperations) throws {
    let used = try usedNames(reading)
    for note in notes {
      let text = FileManager.default.contents(atPath: note).map { String(decoding: $0, as: UTF8.self) } ?? ""
      for name in text.split(separator: "\n").map(String.init) where UUID(uuidString: name) != nil {
        if !used.contains(name) { try? files.remove("\(folder)/\(name)") }
      }
      try? files.remove(note)
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
