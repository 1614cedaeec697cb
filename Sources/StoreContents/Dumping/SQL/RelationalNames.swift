/// Gives names to tables or columns of a database, each once: two names that differ by case only are the same.
struct RelationalNames {
  /// PostgreSQL cuts longer ones.
  private static let longest = 63
  private var given: Set<String>

  /// Knows the names that a database keeps for itself.
  init(for dialect: SQLDialect) {
    given = dialect == .postgresql ? ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] : []
  }

  /// A name as wished where it is free, else with a number behind it.
  ///
  /// - Parameter wish: the name.
  /// - Returns: a name of 63 bytes of UTF-8 at most, without NUL.
  mutating func claim(_ wish: String) -> String {
    var wish = wish.replacing("\u{0}", with: "_")
    // SQLite keeps the names of tables that begin so.
    if wish.lowercased().hasPrefix("sqlite_") { wish = "_\(wish)" }
    var name = Self.cut(wish.isEmpty ? "_" : wish, to: Self.longest)
    var number = 2
    while !given.insert(name.lowercased()).inserted {
      let end = "_\(number)"
      name = Self.cut(wish, to: Self.longest - end.utf8.count) + end
      number += 1
    }
    return name
  }

  private static func cut(_ name: String, to bytes: Int) -> String {
    guard name.utf8.count > bytes else { return name }
    var scalars = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= bytes else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
