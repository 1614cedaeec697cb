import Foundation
import GRDB

/// Damage to stores, by plain SQL.
package enum Damage {
  /// Makes every row of an order refer to an order that is not there.
  package static func dangle(_ path: String) throws { try execute("UPDATE ZROWOFORDER SET ZORDER = 4711", path) }

  /// Makes the name of a customer a text that is not UTF-8.
  package static func garble(_ path: String) throws {
    try execute("UPDATE ZCUSTOMER SET ZNAME = CAST(x'61ff' AS TEXT) WHERE Z_PK = 2", path)
  }

  /// Gives a customer a long name, and makes a page that holds its middle lead to one that is not there.
  package static func tear(_ path: String) throws {
    try execute("UPDATE ZCUSTOMER SET ZNAME = hex(zeroblob(20000)) WHERE Z_PK = 2", path)
    let queue = try DatabaseQueue(path: path)
    let sql = "SELECT min(pgoffset) FROM dbstat WHERE name = 'ZCUSTOMER' AND pagetype = 'overflow'"
    let offset = try queue.read { try UInt64.fetchOne($0, sql: sql) }
    try queue.close()
    guard let offset else { throw CocoaError(.fileReadCorruptFile) }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 4))
    try file.close()
  }

  /// Replaces the first 100 bytes, so that SQLite takes the file for none of its own.
  package static func behead(_ path: String) throws {
    try overwrite(path, 0..<100, by: 0xAA)
  }

  /// Empties a page; the first has the number 1.
  package static func empty(page: Int, of path: String) throws {
    let size = try count("PRAGMA page_size", path)
    try overwrite(path, (page - 1) * size..<page * size, by: 0)
  }

  /// Replaces bytes of a file.
  package static func overwrite(_ path: String, _ places: Range<Int>, by byte: UInt8) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(places.lowerBound))
    try file.write(contentsOf: Data(repeating: byte, count: places.count))
    try file.close()
  }

  /// Runs statements.
  package static func execute(_ sql: String, _ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// The number that a query gives.
  package static func count(_ sql: String, _ path: String) throws -> Int {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }
  }
}
