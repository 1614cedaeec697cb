import MigrationSQL

/// A request as SQL, and what its rows mean: a pure function of the request and the store's layout.
struct RecordPlan {
  /// The name by which the statement knows the object's row.
  private static let row = "o"

  let statement: SQLStatement
  /// The properties, after the key, the entity number and the version.
  let columns: [RecordColumn]

  /// Plans a request.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - store: the store's model and tables.
  ///   - filter: the only objects to give; nil for all.
  ///   - now: what `now()` gives, in seconds since 2001.
  /// - Throws: ``RecordRequestError``.
  init(
    _ request: RecordRequest, of store: StoreModel, only filter: KeyFilter? = nil, now: Double
  ) throws(RecordRequestError) {
    let planning = try RequestPlanning(request, store, filter, now: now)
    let properties = try planning.properties()
    var selected: [SQLStatement] = ["Z_PK", "Z_ENT", "Z_OPT"].map { "\(name: Self.row).\(name: $0)" }
    columns = try planning.columns(of: properties, selecting: &selected)
    statement = "SELECT \(selected.joined()) \(try planning.tail())\(try planning.order())\(planning.window)"
  }

  /// The number of objects that a request would give, limit and offset left out.
  static func count(
    _ request: RecordRequest, of store: StoreModel, now: Double
  ) throws(RecordRequestError) -> SQLStatement {
    "SELECT COUNT(*) \(try RequestPlanning(request, store, nil, now: now).tail())"
  }
}

extension SQLStatement {
  /// The members of a list of keys, however long it is.
  static func values(_ keys: [Int64]) -> SQLStatement {
    "SELECT value FROM json_each(\(.text(keyList(keys))))"
  }

  /// Keys as JSON.
  static func keyList(_ keys: [Int64]) -> String { "[\(keys.map(String.init).joined(separator: ","))]" }
}
