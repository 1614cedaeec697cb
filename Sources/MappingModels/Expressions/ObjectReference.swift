import ModelDescription

extension ValueExpression {
  /// The class that a cast names to mean an object by its entity and its key.
  package static let objectClass = "NSManagedObjectID"

  /// One object of a store: `CAST("Customer/p7", "NSManagedObjectID")`, as the end of its URI names it.
  ///
  /// - Parameters:
  ///   - entity: the entity of the object, or one above it.
  ///   - key: the key of its row.
  /// - Returns: the expression.
  public static func object(entity: String, key: Int64) -> ValueExpression {
    .cast(.constant(.string("\(entity)/p\(key)")), to: objectClass)
  }

  /// The entity and the key of an object that is named, nil for any other expression and for a text that names none.
  package var objectReference: (entity: String, key: Int64)? {
    guard case .cast(.constant(.string(let text)), Self.objectClass) = self else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let name = parts.first, !name.isEmpty, let end = parts.last, end.hasPrefix("p"),
      end.dropFirst().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let key = Int64(end.dropFirst())
    else { return nil }
    return (String(name), key)
  }
}
