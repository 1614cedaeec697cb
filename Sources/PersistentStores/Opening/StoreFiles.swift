import Foundation
import ModelFiles

/// The files that make up one store: the database and what SQLite keeps beside it.
package struct StoreFiles: Hashable, Sendable {
  /// The path as the user wrote it, for messages.
  package let path: String
  /// The real place of the database, symbolic links followed: SQLite keeps its other files beside that one.
  package let database: String
  /// What its header says.
  let header: DatabaseHeader

  private static let suffixes = ["-wal", "-shm", "-journal"]

  /// The write-ahead log.
  package var log: String { database + "-wal" }
  /// The shared index of the write-ahead log.
  package var sharedIndex: String { database + "-shm" }
  /// The rollback journal.
  package var journal: String { database + "-journal" }

  /// Looks at a store's files without opening them through SQLite.
  ///
  /// - Parameter path: the store's file.
  /// - Throws: ``StoreError`` when there is no file, it cannot be read, or it is no SQLite file of full length.
  package init(path: String) throws(StoreError) {
    let database = RealPath.of(path)
    let status = FileStatus(database)
    switch status?.kind {
    case nil: throw .missing(path: path)
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
    let beginning = try Self.beginning(of: database, path: path)
    guard let header = DatabaseHeader(beginning) else {
      guard beginning.starts(with: DatabaseHeader.magic) else {
        throw .notSQLite(path: path, content: ForeignContent(beginning))
      }
      guard beginning.count >= 100 else { throw .truncated(path: path, bytes: size, expected: 512) }
      throw .corrupt(path: path, detail: "its header gives an impossible page size")
    }
    self.path = path
    self.database = database
    self.header = header
    try checkLength(size)
  }

  /// The real place of a store, as the system finds it.
  package static func realPath(of path: String) -> String { RealPath.of(path) }

  private static func beginning(of database: String, path: String) throws(StoreError) -> [UInt8] {
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: database))
      defer { try? handle.close() }
      return Array(try handle.read(upToCount: 16_384) ?? Data())
    } catch {
      throw StoreError(error, copying: path)
    }
  }

  /// Pages of the last transactions may still lie in the log or be cut off by a journal, so only a store that stands
  /// alone must have its full length.
  private func checkLength(_ size: Int64) throws(StoreError) {
    guard !hasLogContent, !hasJournal, let pages = header.pageCount else { return }
    let expected = Int64(pages) * Int64(header.pageSize)
    guard size >= expected else { throw .truncated(path: path, bytes: size, expected: expected) }
  }

  /// True when committed rows may lie in the write-ahead log.
  package var hasLogContent: Bool { (FileStatus(log)?.size ?? 0) > 0 }

  /// True when a rollback journal lies beside the store.
  package var hasJournal: Bool { (FileStatus(journal)?.size ?? 0) > 0 }

  /// True when some process has, or had, the write-ahead log's index open.
  var hasSharedIndex: Bool { FileStatus(sharedIndex) != nil && FileStatus(log) != nil }

  /// What changes when another process writes.
  var stamp: [FileStatus?] { [FileStatus(database), hasLogContent ? FileStatus(log) : nil] }
}
