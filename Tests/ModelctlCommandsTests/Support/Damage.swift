import GRDB

/// What goes wrong in stores, done to one by plain SQL.
enum Damage {
  /// Makes every row of an order refer to an order that is not there.
  static func dangle(_ path: String) throws { try execute("UPDATE ZROWOFORDER SET ZORDER = 4711", path) }

  /// Makes the name of a customer a text that is not UTF-8.
  static func garble(_ path: String) throws {
    try execute("UPDATE ZCUSTOMER SET ZNAME = CAST(x'61ff' AS TEXT) WHERE Z_PK = 2", path)
  }

  private static func execute(_ sql: String, _ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}
