extension ValueExpression {
  /// Which quotation marks surround strings in an expression's text.
  public enum Quotes: Hashable, Sendable {
    /// `'…'`, which needs no escape in an XML attribute.
    case single
    /// `"…"`, as `NSExpression` writes them.
    case double
  }

  /// Reads an expression or a predicate in the syntax of `NSExpression` and `NSPredicate`.
  ///
  /// Beyond their syntax, a name can be quoted: `#'any name'`. The parser accepts any function with a quoted name. A
  /// cast of a literal to `NSDate`, `NSUUID`, `NSURL`, `NSData` or `NSDecimalNumber` is a constant of that type.
  ///
  /// - Parameters:
  ///   - text: the expression's text, of at most 20,000 Unicode scalars.
  ///   - arguments: the value of each `%@`, and a text with a key path for each `%K`.
  /// - Throws: ``ExpressionSyntaxError`` with the location in the text.
  public init(parsing text: String, arguments: [ValueExpression] = []) throws(ExpressionSyntaxError) {
    var parser = try ExpressionParser(text, arguments: arguments)
    self = try parser.parsed()
  }

  /// Returns the text that the parser reads as this expression.
  ///
  /// A conjunction or disjunction of fewer than two parts, and a key path without keys, have no notation: their text is
  /// that of an equal expression.
  public func formatted(quotes: Quotes = .double) -> String { ExpressionPrinter(quotes: quotes).text(of: self) }
}

extension ValueExpression: CustomStringConvertible {
  /// The text as `NSExpression` writes it.
  public var description: String { formatted() }
}

extension ValueExpression.Quotes {
  /// Returns a string with these quotation marks, with escapes for characters that XML or a line of text cannot hold.
  func text(_ string: String) -> String {
    let quote: Unicode.Scalar = self == .single ? "'" : "\""
    var text = String.UnicodeScalarView()
    text.append(quote)
    for scalar in string.unicodeScalars {
      switch scalar {
      case quote, "\\":
        text.append("\\")
        text.append(scalar)
      case "\n": text.append(contentsOf: "\\n".unicodeScalars)
      case "\r": text.append(contentsOf: "\\r".unicodeScalars)
      case "\t": text.append(contentsOf: "\\t".unicodeScalars)
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
      default: text.append(scalar)
      }
    }
    text.append(quote)
    return String(text)
  }
}
