import Foundation
import GRDB
import GRDBSQLite

/// Copies the file of a store that a connection holds, in large pieces.
///
/// The bytes are read and written through SQLite's own file handles: a second handle of this process on the store would,
/// when it is closed, take the lock with it that keeps others out. Page by page, as SQLite's backup does it, costs five
/// times as much.
enum FileContentCopy {
  /// SQLite reads and writes less than 128 KiB at a time.
  private static let pieceLength = 1 << 16
  /// Where the header of a database says whether it has a write-ahead log.
  private static let versionOffset: sqlite3_int64 = 18

  /// Copies the file, if nothing of the store is elsewhere.
  ///
  /// - Parameters:
  ///   - source: a connection that holds the store exclusively and has no transaction open.
  ///   - store: the path of the store's file.
  ///   - path: an empty file. It gets the store's content without the mark of a write-ahead log.
  ///   - report: called with the part that is copied.
  /// - Returns: false when there is a write-ahead log with content, so that nothing was copied.
  /// - Throws: `DatabaseError`.
  static func copy(
    _ source: Database, of store: String, to path: String, _ report: (Double) -> Void
  ) throws -> Bool {
    let log = try? FileManager.default.attributesOfItem(atPath: store + "-wal")[.size] as? NSNumber
    guard (log?.int64Value ?? 0) == 0, let from = file(of: source.sqliteConnection) else {
      return false
    }
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try check(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil))
    guard let to = file(of: connection), let read = from.pointee.pMethods.pointee.xRead,
      let write = to.pointee.pMethods.pointee.xWrite
    else { return false }
    var size: sqlite3_int64 = 0
    try check(from.pointee.pMethods.pointee.xFileSize?(from, &size) ?? SQLITE_ERROR)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 4096)
    defer { piece.deallocate() }
    var offset: sqlite3_int64 = 0
    while offset < size {
      let length = Int32(min(size - offset, sqlite3_int64(pieceLength)))
      try check(read(from, piece.baseAddress, length, offset))
      try check(write(to, piece.baseAddress, length, offset))
      offset += sqlite3_int64(length)
      report(Double(offset) / Double(size))
    }
    let withoutLog: [UInt8] = [1, 1]
    if size > versionOffset { try check(write(to, withoutLog, Int32(withoutLog.count), versionOffset)) }
    return true
  }

  private static func file(of connection: OpaquePointer?) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    return code == SQLITE_OK && file?.pointee.pMethods != nil ? file : nil
  }

  private static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
