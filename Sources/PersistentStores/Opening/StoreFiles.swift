import CSQLiteConnection
import Foundation
import ModelFiles

/// The files of a store: the database and SQLite's files next to it.
package struct StoreFiles: Hashable, Sendable {
  /// The path as the user wrote it, for messages.
  package let path: String
  /// The real path of the database, with symbolic links resolved; SQLite's other files are next to it.
  package let database: String
  let header: DatabaseHeader

  private static let suffixes = ["-wal", "-shm", "-journal"]

  package var log: String { database + "-wal" }
  /// The shared index of the write-ahead log.
  package var sharedIndex: String { database + "-shm" }
  package var journal: String { database + "-journal" }

  /// Looks at a store's files without reading them as a database.
  package init(path: String) throws(StoreError) {
    let database = RealPath.of(path)
    let status = FileStatus(database)
    switch status?.kind {
    case nil: throw FileStatus.isForbidden(database) ? .unreadable(path: path) : .missing(path: path)
    case .folder?: throw .folder(path: path)
    case .link?: throw .linkToNowhere(path: path)
    case .other?: throw .notAFile(path: path)
    case .file?: break
    }
    // SQLite would follow a link with one of these names, and write to its destination.
    for companion in Self.suffixes.map({ database + $0 }) {
      guard let kind = FileStatus(companion)?.kind, kind != .file else { continue }
      throw .foreignCompanion(path: path, companion: companion)
    }
    let size = status?.size ?? 0
    guard size > 0 else { throw .empty(path: path, logBytes: FileStatus(database + "-wal")?.size ?? 0) }
    let beginning = try Self.beginning(of: database, size: size, path: path)
    guard let header = DatabaseHeader(beginning) else {
      guard beginning.starts(with: DatabaseHeader.magic) else {
        throw .notSQLite(path: path, content: ForeignContent(beginning, path: path, size: size))
      }
      guard beginning.count >= 100 else { throw .truncated(path: path, bytes: size, expected: 512) }
      throw .corrupt(path: path, detail: "its header has an invalid page size")
    }
    (self.path, self.database, self.header) = (path, database, header)
    try checkLength()
  }

  /// Whether a path leads to a file that begins as an SQLite database.
  package static func beginsAsDatabase(_ path: String) -> Bool {
    let database = RealPath.of(path)
    guard let status = FileStatus(database), status.kind == .file, status.size > 0 else { return false }
    let beginning = try? beginning(of: database, size: status.size, path: path)
    return beginning?.starts(with: DatabaseHeader.magic) ?? false
  }

  /// Refuses changes in a folder of a different user if the process runs as the superuser.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - path: the path to change or create, for the message.
  package static func checkUser(ofFolder folder: String, path: String) throws(StoreError) {
    if let owner = FolderOwnership.obstacle(inFolder: folder) { throw .foreignFolder(path: path, owner: owner) }
  }

  /// The real path of a store, as the system resolves it.
  package static func realPath(of path: String) -> String { RealPath.of(path) }

  /// The real path that a path leads to; nil if it does not exist.
  package static func existingPath(of path: String) -> String? { RealPath.existing(path) }

  /// True for the name of an original that a migration kept, or of a different backup.
  package static func isBackup(_ name: Substring) -> Bool {
    guard let range = name.range(of: ".backup", options: .backwards) else { return false }
    let rest = name[range.upperBound...]
    return rest.isEmpty || rest.first == "-" && rest.count > 1 && rest.dropFirst().allSatisfy(\.isNumber)
  }

  /// The first bytes, read through SQLite, which keeps the locks that this process may have on the file.
  private static func beginning(of database: String, size: Int64, path: String) throws(StoreError) -> [UInt8] {
    var connection: OpaquePointer?
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
    var code = sqlite3_open_v2(database, &connection, flags, nil)
    defer { sqlite3_close(connection) }
    let count = Int32(min(size, 16_384))
    var bytes = [UInt8](repeating: 0, count: Int(count))
    if code == SQLITE_OK { code = modelctl_read_file(connection, &bytes, count, 0) }
    switch code {
    case SQLITE_OK: return bytes
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: throw .unreadable(path: path)
    default: throw .inputOutput(path: path, error: .sqlite(code: code, message: nil))
    }
  }

  /// Checks the length of a store without log and journal.
  ///
  /// Otherwise pages of the last transactions may still be in the log, or a journal may cut them off. The length is
  /// read after the header, because another process may add pages.
  private func checkLength() throws(StoreError) {
    guard !hasLogContent, !hasJournal, let pages = header.pageCount else { return }
    let expected = Int64(pages) * Int64(header.pageSize)
    let size = FileStatus(database)?.size ?? 0
    guard size >= expected else { throw .truncated(path: path, bytes: size, expected: expected) }
  }

  /// True if committed rows may be in the write-ahead log.
  package var hasLogContent: Bool { (FileStatus(log)?.size ?? 0) > 0 }

  /// True for a write-ahead log with a header and no page, which a process leaves if it is killed during its first
  /// write.
  ///
  /// SQLite takes the salts of its header for those of a restarted log. If it cannot write the index, it reads the log
  /// repeatedly and gives up after ten seconds.
  var hasBareLog: Bool { FileStatus(log)?.size == 32 }

  /// True if a rollback journal is next to the store.
  package var hasJournal: Bool { (FileStatus(journal)?.size ?? 0) > 0 }

  /// True when some process has, or had, the write-ahead log's index open.
  var hasSharedIndex: Bool { FileStatus(sharedIndex) != nil && FileStatus(log) != nil }

  /// A value that changes if another process writes.
  var stamp: [FileStatus?] { [FileStatus(database), hasLogContent ? FileStatus(log) : nil] }

  /// A value that changes if another process writes to the database's file itself or replaces it.
  ///
  /// A transaction with a rollback journal increments a counter in the header and keeps its journal until the end. The
  /// value therefore changes even if the file's time is too coarse.
  ///
  /// - Parameter changeCounter: the counter in the header; nil if it cannot be read.
  func content(changeCounter: [UInt8]?) -> StoreContent {
    StoreContent(status: FileStatus(database), changeCounter: changeCounter, hasJournal: hasJournal)
  }
}

/// The state of a database's file; without a journal, equal states have equal content.
struct StoreContent: Hashable, Sendable {
  let status: FileStatus?
  let changeCounter: [UInt8]?
  let hasJournal: Bool
}

/// The first 100 bytes of an SQLite file, as far as they are needed to open it.
///
/// Source: “The Database Header” of SQLite's file format.
struct DatabaseHeader: Hashable, Sendable {
  /// The text every SQLite file begins with.
  static let magic = Array("SQLite format 3\0".utf8)

  let pageSize: Int
  /// True when the file is in write-ahead-log mode.
  let usesWriteAheadLog: Bool
  /// The number of pages; nil if the writer did not update it.
  let pageCount: Int?
  /// The counter that every transaction with a rollback journal changes.
  let changeCounter: [UInt8]
  /// The position of the change counter in the file.
  static let changeCounterBytes = 24..<28

  /// Reads a header; nil when these are not the first 100 bytes of a sound SQLite file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 100, Array(bytes.prefix(16)) == Self.magic else { return nil }
    let written = Int(bytes[16]) << 8 | Int(bytes[17])
    let pageSize = written == 1 ? 65536 : written
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
    self.pageSize = pageSize
    usesWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
    changeCounter = Array(bytes[Self.changeCounterBytes])
    let validFor = bytes[92..<96]
    let count = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    pageCount = changeCounter.elementsEqual(validFor) && count > 0 ? count : nil
  }
}
