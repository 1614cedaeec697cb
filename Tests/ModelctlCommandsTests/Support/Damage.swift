import GRDB

/// What goes wrong in stores, done to one by plain SQL.
enum Damage {
  /// Makes every row of an order refer to an order that is not there.
  static func dangle(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "UPDATE ZROWOFORDER SET ZORDER = 4711") }
    try queue.close()
  }
}
