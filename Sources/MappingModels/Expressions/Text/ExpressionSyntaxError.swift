package import ModelDescription

/// Why a text is no expression, and where in it.
public struct ExpressionSyntaxError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// Something else must stand here.
    case expected(String, found: String)
    /// No operator has this name.
    case unknownOperator(String, near: [String])
    /// No function has this name.
    case unknownFunction(String, near: [String])
    /// `NSExpression` knows the construct, a migration does not.
    case unsupported(String)
    /// A function is given too few or too many arguments.
    case argumentCount(function: String, accepted: ClosedRange<Int>, given: Int)
    /// A string's closing quotation mark is missing.
    case unterminatedString
    /// A backslash in a string is followed by what it does not escape.
    case invalidEscape(String)
    /// A number is written in a way that is no number, or is too large.
    case invalidNumber(String)
    /// A text is no value of the type it is cast to.
    case invalidCast(text: String, type: String)
    /// A percent sign is followed by what stands for no argument.
    case unknownArgument(String)
    /// A `%@` or `%K` has no argument.
    case missingArgument(needed: Int, given: Int)
    /// There are more arguments than the text has places for.
    case unusedArguments(needed: Int, given: Int)
    /// The argument of a `%K` is no key path; it is counted from 1.
    case noKeyPath(argument: Int)
    /// Parts are nested, or chained, more deeply than is read.
    case tooDeep(limit: Int)
    /// The text has more characters than are read.
    case tooLong(limit: Int)
  }

  /// What is wrong.
  public let cause: Cause
  /// The place in the text, in Unicode scalars counted from 0.
  public let offset: Int
}

extension ExpressionSyntaxError: CustomStringConvertible {
  /// The place, counted from 1, the cause, and what to write instead.
  public var description: String { "at character \(offset + 1): \(sentence)" }

  /// The cause and what to write instead, without the place.
  public var sentence: String { words.sentence }

  /// The cause, and what to write instead.
  package var words: ErrorWords {
    switch cause {
    case .expected(let expected, let found): .init("expected \(expected), found \(found)")
    case .unknownOperator(let name, let near): .init("unknown operator “\(name)”", Self.advice(near))
    case .unknownFunction(let name, let near): .init("unknown function “\(name)”", Self.advice(near))
    case .unsupported(let construct):
      .init(
        "\(construct) cannot be used here",
        "use a collection operator such as @count; a mapping file can have sql=\"…\"")
    case .argumentCount(let function, let accepted, let given):
      .init("\(function) takes \(Self.arguments(accepted)), not \(given)")
    case .unterminatedString:
      .init("the string that begins here has no closing quotation mark", "write \\' or \\\" for one inside a string")
    case .invalidEscape(let escape): .init("“\(escape)” is no escape of a string", "write \\\\ for a backslash")
    case .invalidNumber(let text):
      .init("“\(text)” is no number", "write digits with a period and an exponent, or 0x and hexadecimal digits")
    case .invalidCast(let text, let type): .init("“\(text)” is no \(type)", "write \(Self.form(of: type))")
    case .unknownArgument(let text):
      .init("“\(text)” stands for no argument", "write %@ for a value, or %K for a key path")
    case .missingArgument(let needed, let given):
      .init("this has no argument: the text takes \(needed), and got \(given)")
    case .unusedArguments(let needed, let given):
      .init("there are arguments left over: the text takes \(needed), and got \(given)")
    case .noKeyPath(let number):
      .init("argument \(number) is no key path", "give %K a text such as \"customer.name\", and %@ a value")
    case .tooDeep(let limit): .init("the expression is more than \(limit) levels deep", "split it")
    case .tooLong(let limit): .init("the expression has more than \(limit) characters")
    }
  }

  private static func advice(_ near: [String]) -> Advice? {
    near.isEmpty ? nil : "\(NearNames.words(near))"
  }

  private static func arguments(_ accepted: ClosedRange<Int>) -> String {
    if accepted.count == 1 { return accepted.lowerBound == 1 ? "1 argument" : "\(accepted.lowerBound) arguments" }
    return "\(accepted.lowerBound) to \(accepted.upperBound) arguments"
  }

  private static func form(of type: String) -> String {
    switch type {
    case "NSDate": "an ISO 8601 date such as 2026-01-31T12:00:00Z, or seconds since 2001 as a number"
    case "NSUUID": "a UUID such as 8D44AD3C-7C0B-4B6B-9F0D-0C1F6E6C7A11"
    case "NSData": "base64"
    default: "a number such as 1.5"
    }
  }
}
