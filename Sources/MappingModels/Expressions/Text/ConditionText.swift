import Foundation
import ModelDescription

/// The text of a condition, kept so that an error has a location in it.
package struct ConditionText: Hashable, Sendable {
  package let text: String
  private let arguments: [ValueExpression]
  private let variables: [String: ValueExpression]

  /// Creates a condition text.
  ///
  /// - Parameters:
  ///   - arguments: the value of each `%@` and `%K`.
  ///   - variables: the values of variables that no `SUBQUERY` names.
  package init(_ text: String, arguments: [ValueExpression] = [], variables: [String: ValueExpression] = [:]) {
    (self.text, self.arguments, self.variables) = (text, arguments, variables)
  }

  package func expression() throws(ExpressionSyntaxError) -> ValueExpression {
    var parser = try ExpressionParser(text, arguments: arguments, variables: variables)
    return try parser.parsed()
  }

  /// Returns the location of a part that is not valid.
  ///
  /// - Returns: the location in Unicode scalars counted from 0; nil if the text does not contain the part.
  package func offset(of error: ExpressionTypeError, by typing: ExpressionTyping) -> Int? {
    guard var parser = try? ExpressionParser(text, arguments: arguments, variables: variables) else { return nil }
    var found: [Range<Int>] = []
    var subqueries: [(expression: ValueExpression, tokens: Range<Int>)] = []
    parser.note = { part, tokens in
      if case .subquery = part { subqueries.append((part, tokens)) }
      if part.shortText == error.expression { found.append(tokens) }
    }
    guard (try? parser.parsed()) != nil else { return nil }
    // Two SUBQUERYs can contain the same words, which are valid in only one of them.
    let place = found.first { tokens in
      let around = subqueries.last {
        $0.tokens.lowerBound <= tokens.lowerBound && tokens.upperBound <= $0.tokens.upperBound
      }
      guard let around else { return true }
      do throws(ExpressionTypeError) {
        _ = try typing.type(of: around.expression)
        return false
      } catch let other {
        return other == error
      }
    }
    guard let place else { return nil }
    let named = parser.tokens[place].first { token in
      if case .name(let name, _) = token.kind { name == error.reason.key } else { false }
    }
    return named?.offset ?? parser.tokens[place.lowerBound].offset
  }
}

extension ExpressionTypeError.Reason {
  /// The key that is wrong, to find it in its key path.
  fileprivate var key: String? {
    switch self {
    case .unknownKey(let key, _, _), .transient(let key, _), .nestedCollection(let key), .unknownOperator(let key, _),
      .misplacedOperator(let key):
      key
    case .composite(let path, _): path.split(separator: ".").first.map(String.init)
    default: nil
    }
  }
}

/// The notation of constants without a literal: a cast of a text or a number.
enum ConstantCast {
  /// The meaning of a cast of a literal.
  enum Meaning {
    /// A constant.
    case constant(AttributeValue)
    /// A cast at evaluation.
    case cast
    /// No value of the type.
    case invalid(String)
  }

  /// Returns the meaning of `CAST(literal, "type")`.
  static func constant(_ literal: AttributeValue, as type: String) -> Meaning {
    switch (literal, type) {
    case (.string(let text), "NSURL"): return .constant(.uri(text))
    case (.string("nan"), "NSNumber"): return .constant(.double(.nan))
    case (.string("inf"), "NSNumber"): return .constant(.double(.infinity))
    case (.string("-inf"), "NSNumber"): return .constant(.double(-.infinity))
    case (.string("NaN"), "NSDecimalNumber"): return .constant(.decimal(.nan))
    case (.string(let text), _):
      guard let attributeType = types[type] else { return .cast }
      let written = attributeType == .binary ? "base64:" + text : text
      return (try? AttributeValue.parse(written, as: attributeType)).map { .constant($0) } ?? .invalid(text)
    case (.integer(let seconds), "NSDate"): return .constant(.date(Double(seconds)))
    case (.double(let seconds), "NSDate"): return .constant(.date(seconds))
    default: return .cast
    }
  }

  private static let types: [String: AttributeType] = [
    "NSDate": .date, "NSUUID": .uuid, "NSData": .binary, "NSDecimalNumber": .decimal,
  ]

  /// Returns the literal and the type that express a constant; nil if it has its own literal.
  static func cast(of constant: AttributeValue) -> (literal: AttributeValue, type: String)? {
    switch constant {
    case .integer, .string, .boolean: nil
    case .double(let value): value.isFinite ? nil : (.string("\(value)"), "NSNumber")
    case .decimal(let value): (.string(value.description), "NSDecimalNumber")
    case .date(let seconds): (ISO8601Date.text(of: seconds).map { .string($0) } ?? .double(seconds), "NSDate")
    case .binary(let data): (.string(data.base64EncodedString()), "NSData")
    case .uuid(let uuid): (.string(uuid.uuidString), "NSUUID")
    case .uri(let text): (.string(text), "NSURL")
    }
  }
}
