extension ValueExpression {
  /// Which quotation marks surround strings in an expression's text.
  public enum Quotes: Hashable, Sendable {
    /// `'…'`, which need no escape in an XML attribute.
    case single
    /// `"…"`, as `NSExpression` writes them.
    case double
  }

  /// Reads an expression or a predicate in the syntax of `NSExpression` and `NSPredicate`.
  ///
  /// Beyond their syntax a name may be quoted, `#'any name'`; a function so named is not looked up. A cast of a literal
  /// to `NSDate`, `NSUUID`, `NSURL`, `NSData` or `NSDecimalNumber` is a constant of that type.
  ///
  /// - Parameters:
  ///   - text: the expression's text, of at most 20,000 Unicode scalars.
  ///   - arguments: what stands for each `%@`, and as a text with a key path for each `%K`.
  /// - Throws: ``ExpressionSyntaxError`` with the place in the text.
  public init(parsing text: String, arguments: [ValueExpression] = []) throws(ExpressionSyntaxError) {
    var parser = try ExpressionParser(text, arguments: arguments)
    self = try parser.parsed()
  }

  /// The text whose reading gives this expression again.
  ///
  /// A conjunction or disjunction of fewer than two parts and a key path without keys have no text of their own: they
  /// are written as what they mean.
  public func formatted(quotes: Quotes = .double) -> String { ExpressionPrinter(quotes: quotes).text(of: self) }
}

extension ValueExpression: CustomStringConvertible {
  /// The text as `NSExpression` writes it.
  public var description: String { formatted() }
}

extension ValueExpression.Quotes {
  /// A string with these quotation marks, with escapes for what XML or a line of text cannot hold.
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
