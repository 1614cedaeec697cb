/// How a derived attribute is computed from other properties.
public struct Derivation: Hashable, Sendable {
  /// The expression as the source writes it, such as `messages.@count` or `canonical:(name)`.
  public var expression: String
  /// The predicate that filters what is derived from.
  public var filterPredicate: String?

  /// Makes a derivation.
  public init(expression: String, filterPredicate: String? = nil) {
    self.expression = expression
    self.filterPredicate = filterPredicate
  }
}

extension Derivation {
  /// The expression's format as Core Data hashes it: a collection operator becomes a function.
  ///
  /// `pages.@count` is `count:(pages)` and `lines.@sum.price` is `sum:(lines.price)`; a plain key path and a function
  /// stay as written.
  package var hashedExpression: String {
    let keys = expression.split(separator: ".", omittingEmptySubsequences: false)
    guard let position = keys.firstIndex(where: { $0.hasPrefix("@") }), keys[position].count > 1 else {
      return expression
    }
    let keyPath = (keys[..<position] + keys[(position + 1)...]).joined(separator: ".")
    return "\(keys[position].dropFirst()):(\(keyPath))"
  }
}
