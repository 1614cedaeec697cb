import CSQLiteConnection
import Foundation
import ModelFiles

/// The files that make up one store: the database and what SQLite keeps beside it.
package struct StoreFiles: Hashable, Sendable {
  /// The path as the user wrote it, for messages.
  package let path: String
  /// The real place of the database, symbolic links followed: SQLite keeps its other files beside that one.
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
    // SQLite would follow a link of these names, and write to what it leads to.
    for companion in Self.suffixes.map({ database + $0 }) {
      guard let kind = FileStatus(companion)?.kind, kind != .file else { continue }
      throw .foreignCompanion(path: path, companion: companion)
    }
    let size = status?.size ?? 0
    guard size > 0 else { throw .empty(path: path, logBytes: FileStatus(database + "-wal")?.size ?? 0) }
    let beginning = try Self.beginning(of: database, size: size, path: path)
    guard let header = DatabaseHeader(beginning) else {
      guard beginning.starts(with: DatabaseHeader.magic) else {
        throw .notSQLite(path: path, content: ForeignContent(beginning))
      }
      guard beginning.count >= 100 else { throw .truncated(path: path, bytes: size, expected: 512) }
      throw .corrupt(path: path, detail: "its header has an invalid page size")
    }
    (self.path, self.database, self.header) = (path, database, header)
    try checkLength()
  }

  /// Refuses to change anything in a folder of another user if this is the superuser.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - path: what is to be changed or made there, for the message.
  package static func checkUser(ofFolder folder: String, path: String) throws(StoreError) {
    if let owner = FolderOwnership.obstacle(inFolder: folder) { throw .foreignFolder(path: path, owner: owner) }
  }

  /// The real place of a store, as the system finds it.
  package static func realPath(of path: String) -> String { RealPath.of(path) }

  /// The real place of what a path leads to, nil when it leads to nothing.
  package static func existingPath(of path: String) -> String? { RealPath.existing(path) }

  /// True for the name of an original that a migration kept, or of somebody else's backup.
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

  /// Only a store that stands alone must have its full length.
  ///
  /// Pages of the last transactions may still lie in the log or be cut off by a journal. It is measured after the header
  /// was read, as another process may be adding pages.
  private func checkLength() throws(StoreError) {
    guard !hasLogContent, !hasJournal, let pages = header.pageCount else { return }
    let expected = Int64(pages) * Int64(header.pageSize)
    let size = FileStatus(database)?.size ?? 0
    guard size >= expected else { throw .truncated(path: path, bytes: size, expected: expected) }
  }

  /// True when committed rows may lie in the write-ahead log.
  package var hasLogContent: Bool { (FileStatus(log)?.size ?? 0) > 0 }

  /// True for a write-ahead log of a header and no page, as a program leaves it that is killed while it begins to write.
  ///
  /// SQLite takes the salts of its header for those of a log that somebody began anew, reads it again and again when it may not
  /// write the index, and gives up after ten seconds.
  var hasBareLog: Bool { FileStatus(log)?.size == 32 }

  /// True when a rollback journal lies beside the store.
  package var hasJournal: Bool { (FileStatus(journal)?.size ?? 0) > 0 }

  /// True when some process has, or had, the write-ahead log's index open.
  var hasSharedIndex: Bool { FileStatus(sharedIndex) != nil && FileStatus(log) != nil }

  /// What changes when another process writes.
  var stamp: [FileStatus?] { [FileStatus(database), hasLogContent ? FileStatus(log) : nil] }

  /// What changes when another process writes into the database's file itself, or puts another file in its place.
  ///
  /// A transaction with a rollback journal counts up in the header and has its journal there until it is done, so that
  /// it shows even where the file's time is too coarse.
  ///
  /// - Parameter changeCounter: the count in the header; nil when it cannot be read.
  func content(changeCounter: [UInt8]?) -> StoreContent {
    StoreContent(status: FileStatus(database), changeCounter: changeCounter, hasJournal: hasJournal)
  }
}

/// What a database's file is at a moment; two that are equal, without a journal, hold the same.
struct StoreContent: Hashable, Sendable {
  let status: FileStatus?
  let changeCounter: [UInt8]?
  let hasJournal: Bool
}

/// The first 100 bytes of an SQLite file, as far as they tell how to open it.
///
/// Source: “The Database Header” of SQLite's file format.
struct DatabaseHeader: Hashable, Sendable {
  /// The text every SQLite file begins with.
  static let magic = Array("SQLite format 3\0".utf8)

  let pageSize: Int
  /// True when the file is in write-ahead-log mode.
  let usesWriteAheadLog: Bool
  /// The number of pages, nil when the writer did not keep it up to date.
  let pageCount: Int?
  /// What every transaction with a rollback journal changes.
  let changeCounter: [UInt8]
  /// Where the change counter stands in the file.
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
