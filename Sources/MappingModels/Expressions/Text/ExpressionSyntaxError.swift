public import ModelDescription

/// The reason that a text is not a valid expression, and its location.
public struct ExpressionSyntaxError: Error, Hashable, Sendable {
  /// The reason of a syntax error.
  public enum Reason: Hashable, Sendable {
    /// Another token is expected.
    case expected(String, found: String)
    /// The operator is unknown.
    case unknownOperator(String, near: [String])
    /// The function is unknown.
    case unknownFunction(String, near: [String])
    /// `NSExpression` supports the construct, and migrations do not.
    case unsupported(String)
    /// A function is given too few or too many arguments.
    case argumentCount(function: String, accepted: ClosedRange<Int>, given: Int)
    /// A string's closing quotation mark is missing.
    case unterminatedString
    /// A backslash in a string is followed by a character that it does not escape.
    case invalidEscape(String)
    /// The number is not valid, or is too large.
    case invalidNumber(String)
    /// The text is not a valid value of the type of the cast.
    case invalidCast(text: String, type: String)
    /// A percent sign is followed by a character other than `@` and `K`.
    case unknownArgument(String)
    /// A `%@` or `%K` has no argument.
    case missingArgument(needed: Int, given: Int)
    /// There are more arguments than the text takes.
    case unusedArguments(needed: Int, given: Int)
    /// The argument of a `%K` is not a key path; arguments are counted from 1.
    case noKeyPath(argument: Int)
    /// Parts are nested or chained too deeply.
    case tooDeep(limit: Int)
    /// The text is too long.
    case tooLong(limit: Int)
  }

  /// The reason of the error.
  public let reason: Reason
  /// The location in the text, in Unicode scalars counted from 0.
  public let offset: Int
}

extension ExpressionSyntaxError: AdvisedError {
  /// The location, as a character counted from 1.
  public var place: String? { "at character \(offset + 1)" }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The text to write instead.
  public var advice: Advice? { words.advice }

  /// The cause and the advice, without the location.
  public var sentence: String { words.sentence }

  /// The cause and the advice, without the location.
  package var words: ErrorWords {
    switch reason {
    case .expected(let expected, let found): .init("expected \(expected), found \(found)")
    case .unknownOperator(let name, _) where name.uppercased() == "IS":
      .init("unknown operator “\(name)”", "write == nil or != nil")
    case .unknownOperator(let name, let near): .init("unknown operator “\(name)”\(NearNames.clause(near))")
    case .unknownFunction(let name, let near): .init("unknown function “\(name)”\(NearNames.clause(near))")
    case .unsupported(let construct):
      .init(
        "\(construct) cannot be used here",
        "use a collection operator such as @count, or sql=\"…\" in a mapping file")
    case .argumentCount(let function, let accepted, let given):
      .init("\(function) takes \(Self.arguments(accepted)), not \(given)")
    case .unterminatedString:
      .init(
        "the string that begins here has no closing quotation mark",
        "write \\' or \\\" for a quotation mark inside a string")
    case .invalidEscape(let escape):
      .init("“\(escape)” is not a valid escape sequence", "write \\\\ for a backslash")
    case .invalidNumber(let text):
      .init("“\(text)” is not a valid number", "write digits, a period and an exponent, or 0x and hexadecimal digits")
    case .invalidCast(let text, let type): .init("“\(text)” is not a valid \(type)", "write \(Self.example(of: type))")
    case .unknownArgument(let text):
      .init("“\(text)” is not a valid placeholder", "write %@ for a value, or %K for a key path")
    case .missingArgument(let needed, let given):
      .init("an argument is missing: the text takes \(needed), and \(given) \(given == 1 ? "is" : "are") given")
    case .unusedArguments(let needed, let given):
      .init("there are too many arguments: the text takes \(needed), and \(given) are given")
    case .noKeyPath(let number):
      .init("argument \(number) is not a key path", "give %K a text such as \"customer.name\", and %@ a value")
    case .tooDeep(let limit): .init("the expression is more than \(limit) levels deep", "split it")
    case .tooLong(let limit): .init("the expression has more than \(limit) characters")
    }
  }

  private static func arguments(_ accepted: ClosedRange<Int>) -> String {
    if accepted.count == 1 { return accepted.lowerBound == 1 ? "1 argument" : "\(accepted.lowerBound) arguments" }
    return "\(accepted.lowerBound) to \(accepted.upperBound) arguments"
  }

  private static func example(of type: String) -> String {
    switch type {
    case "NSDate": "an ISO 8601 date such as 2026-01-31T12:00:00Z, or seconds since 2001 as a number"
    case "NSUUID": "a UUID such as 8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11"
    case "NSData": "base64"
    default: "a number such as 1.5"
    }
  }
}
