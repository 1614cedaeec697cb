package import GRDB
import ModelDescription

/// The SQL functions and collations that compiled expressions use, with the semantics of `NSPredicate` and `NSString`.
///
/// Where an expression has no value for a row they stop the statement with an error that names the row.
package struct ExpressionFunctions {
  /// Adds them to a connection, beside ``ConversionFunctions``.
  package static func register(in database: Database) {
    for collation in StringCollation.allCases {
      database.add(collation: DatabaseCollation(collation.name) { collation.compare($0, $1) })
    }
    add("modelctl_length", 1, to: database) { values in values[0].text.map { $0.utf16.count } }
    database.add(function: DatabaseFunction("modelctl_sum", argumentCount: 4, aggregate: WholeSum.self))
    addStringFunctions(to: database)
    addNumberFunctions(to: database)
    for (name, dropsFraction) in [("modelctl_stored", true), ("modelctl_written", false)] {
      add(name, 5, to: database) { values in
        let stored = StoredValue(type: AttributeType(name: values[1].text ?? ""), dropsFraction: dropsFraction)
        return try stored.value(of: values[0], RowPlace(values[2...]))
      }
    }
    add("modelctl_cast", 6, to: database) { values in
      guard !values[0].isNull, let name = values[1].text else { return nil }
      return try ValueCast(name: name, kind: values[2].text ?? "").value(of: values[0], RowPlace(values[3...]))
    }
  }

  static func add(
    _ name: String, _ count: Int, to database: Database,
    _ function: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) {
    database.add(function: DatabaseFunction(name, argumentCount: count, pure: true, function: function))
  }
}

extension DatabaseValue {
  /// The text, nil for every other value.
  var text: String? { if case .string(let text) = storage { text } else { nil } }
}
