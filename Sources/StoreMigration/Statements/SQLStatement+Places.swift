extension SQLStatement {
  /// The place of an element in an ordered list: 2048 for the first, 1024 more for each further one.
  ///
  /// Source: spec/sqlite-store-layout.md §6.3.
  ///
  /// - Parameter number: the number of the element, from 1.
  /// - Returns: the place.
  static func place(ofElement number: SQLStatement) -> SQLStatement { "(\(number) + 1) * \(.number(1024))" }
}
